package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code exec} refuses before it asks a database, and how it finds programs and terminals. */
class ExecOptionsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "job | Missing required parameter: 'COMMAND'",
                "job --offset 1m -- true | --offset needs --every",
                "job --retry-failed -- true | --retry-failed needs --every",
                "job --every 1h --offset 1h -- true | offset is PT1H, but must be at least zero and less than the period",
                "job --on-loss stop -- true | it is \"stop\", but must be go-on or terminate",
                "job --busy-exit 256 -- true | --busy-exit is 256, but must be 0 to 255",
                "job --ttl soon -- true | \"soon\" is no duration"
            })
    void whatIsWrongIsToldWithItsRule(String arguments, String said) {
        Cli.Ran ran = Cli.bare().run(("exec " + arguments).split(" ", -1));
        assertThat(ran.exitCode()).isEqualTo(125);
        assertThat(ran.err()).startsWith("leasehold: ").contains(said).hasLineCount(1);
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void aProgramIsFoundAsAShellFindsIt(@TempDir Path folder) throws Exception {
        Path plain = Files.createDirectory(folder.resolve("plain"));
        Path runnable = Files.createDirectory(folder.resolve("runnable"));
        Files.createFile(plain.resolve("tool"));
        assertThat(Files.createFile(runnable.resolve("tool")).toFile().setExecutable(true))
                .isTrue();
        assertThat(Program.verdict("tool", plain + ":" + runnable)).isEqualTo(Program.Verdict.RUNNABLE);
        assertThat(Program.verdict("tool", plain + "::/nonexistent")).isEqualTo(Program.Verdict.NOT_EXECUTABLE);
        assertThat(Program.verdict("plain", folder.toString())).isEqualTo(Program.Verdict.NOT_FOUND);
        assertThat(Program.verdict("", folder.toString())).isEqualTo(Program.Verdict.NOT_FOUND);
        assertThat(Program.verdict(runnable + "/tool", "")).isEqualTo(Program.Verdict.RUNNABLE);
        assertThat(Program.verdict(folder + "/plain", "")).isEqualTo(Program.Verdict.NOT_EXECUTABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "4242 (java) S 4000 4242 3990 34816 4242 4194304, true",
        "4242 (odd) name) S 4000 4242 3990 34816 4000 4194304, false",
        "4242 (java) S 4000 4242 4242 0 -1 4194304, false"
    })
    void theForegroundGroupIsToldFromTheProcessTable(String stat, boolean isOurs) {
        assertThat(Foreground.isForeground(stat)).isEqualTo(isOurs);
    }
}
