package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTest {

    @Test
    void theScriptNamesEveryOptionWithItsDefault() throws Exception {
        Process help = new ProcessBuilder(Path.of("..", "run").toString(), "--help").start();
        String text = new String(help.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(help.waitFor()).isZero();

        Options options = new Options();
        var declared = CommandLine.Model.CommandSpec.forAnnotatedObject(options).options();
        assertThat(declared)
                .filteredOn(option -> !option.hidden())
                .hasSize(5)
                .allSatisfy(option -> assertThat(text).contains(option.longestName()));
        assertThat(text)
                .contains("default " + options.nodes, "default " + options.instancesPerNode, "default " + options.port)
                .contains("1 to " + Options.MAX_NODES, "1 to " + Options.MAX_INSTANCES);
    }
}
