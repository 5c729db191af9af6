package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The BOM beside the modules it speaks of. */
class BomTest {

    private static final File ROOT = new File("../..");

    private final Document bom = pom("bom");

    private static Document pom(String module) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(ROOT.toPath().resolve(module).resolve("pom.xml").toFile());
        } catch (Exception e) {
            throw new IllegalStateException("the pom of " + module + " cannot be read", e);
        }
    }

    private static List<String> texts(Document pom, String path) throws Exception {
        var nodes = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }

    @Test
    void itManagesEveryModuleThatIsPublishedAndNothingElse() throws Exception {
        List<String> published = new ArrayList<>();
        for (String module : texts(pom(""), "/project/modules/module")) {
            Document pom = pom(module);
            boolean isLibrary = !texts(pom, "/project/packaging").contains("pom");
            if (isLibrary
                    && !texts(pom, "/project/properties/maven.deploy.skip").contains("true")) {
                published.addAll(texts(pom, "/project/artifactId"));
            }
        }
        assertThat(published).contains("leasehold-core", "leasehold-spring-boot-starter");
        String managed = "/project/dependencyManagement/dependencies/dependency";
        assertThat(texts(bom, managed + "/artifactId")).containsExactlyInAnyOrderElementsOf(published);
        assertThat(texts(bom, managed + "[scope or type or not(groupId = 'dev.leasehold')]"))
                .as("imports, and modules of others")
                .isEmpty();
    }

    @Test
    void itInheritsNothingThatItWouldManageToo() throws Exception {
        assertThat(texts(bom, "/project/parent")).isEmpty();
        assertThat(texts(bom, "/project/dependencies | /project/profiles")).isEmpty();
    }

    @Test
    void itHasTheVersionOfTheModulesAndOfThisExample() throws Exception {
        List<String> version = texts(pom(""), "/project/version");
        assertThat(texts(bom, "/project/version")).isEqualTo(version);
        assertThat(texts(bom, "//dependency/version")).containsOnly("${project.version}");
        Document example = pom(Path.of("examples", "spring-boot").toString());
        assertThat(texts(example, "/project/version")).isEqualTo(version);
        assertThat(texts(example, "//dependency[artifactId = 'leasehold-bom']/version"))
                .isEqualTo(version);
    }
}
