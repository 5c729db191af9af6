package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of the README is what a registry has. */
class ReadmeTableTest {

    private static final Path README = Path.of("README.md");

    @Test
    void theTableIsEveryMeterOfTheRegistryAndNoOther() throws Exception {
        Set<String> metersOfTable = new HashSet<>(Files.readAllLines(README));
        metersOfTable.removeIf(line -> !line.startsWith("| `leasehold."));
        Set<String> metersOfRegistry;
        Scrape scrape;
        try (var scene = Scene.played()) {
            metersOfRegistry = scene.registry().getMeters().stream()
                    .map(ReadmeTableTest::line)
                    .collect(Collectors.toSet());
            scrape = Scrape.of(scene.registry().scrape());
        }
        assertThat(metersOfTable).isEqualTo(metersOfRegistry);
        assertThat(metersOfTable.stream().flatMap(line -> samples(line).stream()))
                .containsExactlyInAnyOrderElementsOf(scrape.metrics().keySet());
    }

    private static String line(Meter meter) {
        Meter.Id id = meter.getId();
        String tags = id.getTags().stream()
                .map(Tag::getKey)
                .sorted()
                .map(key -> "`" + key + "`")
                .collect(Collectors.joining(", "));
        String type = id.getType().name().toLowerCase(Locale.ROOT);
        return "| `" + id.getName() + "` | `" + prometheusName(id) + "` | " + type + " | " + tags + " | "
                + Objects.requireNonNullElse(id.getBaseUnit(), "") + " | " + id.getDescription() + " |";
    }

    private static String prometheusName(Meter.Id id) {
        String ending = id.getType() == Meter.Type.COUNTER ? "_total" : id.getBaseUnit() == null ? "" : "_seconds";
        return id.getName().replace('.', '_') + ending;
    }

    /** What a line's metric is called in a scrape. */
    private static List<String> samples(String line) {
        String[] cells = line.split(" *\\| *", -1);
        String name = cells[2].replace("`", "");
        return cells[3].equals("timer") ? List.of(name + "_count", name + "_sum", name + "_max") : List.of(name);
    }
}
