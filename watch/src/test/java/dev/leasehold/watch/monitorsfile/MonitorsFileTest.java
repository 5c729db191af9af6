package dev.leasehold.watch.monitorsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.watch.domains.DomainName;
import dev.leasehold.watch.monitors.MonitorSpec;
import dev.leasehold.watch.values.StartRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorsFileTest {

    @TempDir
    private Path folder;

    private MonitorsFile read(String yaml) throws IOException {
        return MonitorsFile.read(Files.writeString(folder.resolve("monitors.yaml"), yaml));
    }

    @Test
    void monitorsAndDomainsAreRead() throws Exception {
        MonitorsFile file = read("""
                monitors:
                  - name: shop
                    url: https://shop.example/up
                    timeout: 2s
                    webhook: https://hooks.example/x
                  - {name: 42, url: 'http://127.0.0.1:8081/up', timeout: 250}
                domains:
                  - Example.org
                """);

        assertThat(file.monitors())
                .containsExactly(
                        MonitorSpec.parse("shop", "https://shop.example/up", "2s", "https://hooks.example/x"),
                        MonitorSpec.parse("42", "http://127.0.0.1:8081/up", "250ms", null));
        assertThat(file.monitors().get(1).timeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(file.domains()).containsExactly(new DomainName("example.org"));
    }

    @Test
    void shippedSampleIsRead() {
        assertThat(MonitorsFile.read(Path.of("monitors.yaml")).monitors()).hasSize(2);
    }

    @Test
    void emptyFileNamesNothing() throws Exception {
        assertThat(read("")).isEqualTo(read("monitors: []\ndomains:\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'monitors: [{name: a, url: \"https://a.example\"}, {name: b}]'|monitors[1]: url is '': must begin",
                "'monitors: [{name: a, url: \"https://a.example\", timeout: 2h}]'|monitors[0]: timeout is '2h': must be from 100ms to 60s",
                "'monitors: [{name: a, url: \"https://a.example\"}, {name: a, url: \"https://b.example\"}]'|monitors[1]: name is 'a': must be unique",
                "'monitors: [{name: a, ulr: \"https://a.example\"}]'|monitors[0]: 'ulr' is none of the known keys [name, timeout, url, webhook]",
                "'monitors: https://a.example'|monitors: must be a list",
                "'monitors: [https://a.example]'|monitors[0]: must have the keys",
                "'domains: [example.org, EXAMPLE.org]'|domains[1]: name is 'example.org': must be unique",
                "'domains: [localhost]'|domains[0]: name is 'localhost': must have at least two labels",
                "'domains: [1.5]'|domains[0]: must be a domain name, but is '1.5'",
                "'domains: [~]'|domains[0]: must be a domain name",
                "'monitor: []'|the file: 'monitor' is none of the known keys [domains, monitors]",
                "'- a'|the file: must have the keys",
                "'monitors: [{name: a, name: b}]'|is not YAML",
                "'monitors: ['|is not YAML",
                "'monitors: !!java.io.File [x]'|is not YAML",
            })
    void brokenRuleIsNamedWithFileAndEntry(String yaml, String rule) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining(folder.resolve("monitors.yaml").toString())
                .hasMessageContaining(rule)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "monitors: [{name: a, url: 'https://a.example', webhook: 'hooks.example/secret'}]",
                "monitors:\n  - name: a\n    webhook: https://hooks.example/secret: x\n",
                "monitors: [{name: a, webhook: 'https://hooks.example/secret', name: b}]"
            })
    void webhookIsNotShownWhateverIsWrong(String yaml) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("monitors.yaml")
                .hasMessageNotContaining("secret");
    }

    @Test
    void placeInAFileThatIsNotYamlIsNamed() {
        assertThatThrownBy(() -> read("monitors:\n  - name: a\n    url: https://a.example: x\n"))
                .hasMessageContaining("line 3, column ");
    }

    @Test
    void fileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> MonitorsFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("none.yaml cannot be read: java.nio.file.NoSuchFileException");
    }
}
