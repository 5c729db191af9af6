package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the READMEs show is what this example has. */
class ReadmeTest {

    private static final Path README = Path.of("../../README.md");
    private static final Path README_OF_STARTER = Path.of("../../spring-boot-starter/README.md");
    private static final Path SOURCES = Path.of("src/main/java/dev/leasehold/examples/spring");

    /** The blocks of that language in the five minutes, in order. */
    private static List<String> shown(String language) throws Exception {
        String readme = Files.readString(README);
        int start = readme.indexOf("## Five minutes with Spring Boot");
        String section = readme.substring(start, readme.indexOf("\n## ", start));
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(section)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String stripped(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    void theFiveMinutesAreThisExample() throws Exception {
        List<String> xml = shown("xml");
        assertThat(xml).hasSize(2);
        String pom = stripped(Files.readString(Path.of("pom.xml")));
        String bom = stripped(xml.get(0)).replace("<dependencyManagement>\n<dependencies>\n", "");
        assertThat(pom).contains(bom).contains(stripped(xml.get(1)));

        assertThat(Files.readString(Path.of("src/main/resources/application.properties")))
                .contains(shown("properties").get(0));

        List<String> java = shown("java");
        assertThat(java).hasSize(2);
        assertThat(Files.readString(SOURCES.resolve("Newsletter.java"))).endsWith(java.get(0));
        assertThat(stripped(Files.readString(SOURCES.resolve("Reminders.java"))))
                .contains(stripped(java.get(1)));
    }

    @Test
    void thePropertiesOfTheTableAreThoseThatThereAre() throws Exception {
        List<String> there = new ArrayList<>();
        for (URL metadata : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (var json = metadata.openStream()) {
                there.addAll(JsonPath.parse(json).<List<String>>read("$.properties[*].name").stream()
                        .filter(name -> name.startsWith("leasehold."))
                        .toList());
            }
        }
        List<String> told = Pattern.compile("^\\| `(leasehold\\.[^`]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(README_OF_STARTER))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(told).containsExactlyInAnyOrderElementsOf(there);
    }
}
