package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What holds for all commands: help, versions, and what is said of a wrong command line. */
class ExecutionTest {

    private static CommandLine root() {
        return Cli.bare().commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    }

    private static List<Map.Entry<String, CommandLine>> ownCommands() {
        return root().getSubcommands().entrySet().stream()
                .filter(entry -> !List.of("help", "generate-completion").contains(entry.getKey()))
                .toList();
    }

    @Test
    void withoutACommandTheHelpIsPrintedAndItIsAnError() {
        Cli.Ran ran = Cli.bare().run();
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("Usage: leasehold ").contains("  doctor ", "  leases ", "  schema ");
    }

    @Test
    void helpIsNoErrorHoweverItIsAskedFor() {
        String help = Cli.bare().run("help", "doctor").out();
        assertThat(help).contains("Usage: leasehold doctor ", "--long-transaction", "Exit codes:");
        assertThat(Cli.bare().run("doctor", "--help")).isEqualTo(new Cli.Ran(0, help, ""));
        assertThat(Cli.bare().run("--help").exitCode()).isZero();
        assertThat(Cli.bare().run("help").out()).startsWith("Usage: leasehold ");
    }

    @Test
    void theVersionIsTheOneThatWasBuilt() {
        assertThat(Cli.bare().run("--version").out()).matches("leasehold \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
    }

    @Test
    void allCommandsHaveHelpJsonAndColor() {
        assertThat(ownCommands()).hasSizeGreaterThanOrEqualTo(8).allSatisfy(entry -> {
            var spec = entry.getValue().getCommandSpec();
            assertThat(spec.optionsMap().keySet()).as(entry.getKey()).contains("--help", "--json");
            assertThat(spec.optionsMap().containsKey("--color")
                            || entry.getKey().equals("exec"))
                    .as("exec writes in no colour")
                    .isTrue();
            assertThat(spec.usageMessage().header()).as(entry.getKey()).hasSize(1);
        });
    }

    @Test
    void aWrongCommandLineIsOneLineWithAProposal() {
        assertThat(Cli.bare().run("doctr"))
                .isEqualTo(
                        new Cli.Ran(
                                2,
                                "",
                                "leasehold: Unmatched argument at index 0: 'doctr'; did you mean doctor? (see: leasehold --help)\n"));
        assertThat(Cli.bare().run("leases", "--watching").err())
                .isEqualTo(
                        "leasehold: Unknown option: '--watching'; did you mean --watch? (see: leasehold help leases)\n");
        assertThat(Cli.bare().run("release").err()).startsWith("leasehold: Missing required parameter: 'NAME'");
        assertThat(Cli.bare().run("leases", "--watch=never").err())
                .contains("is no duration")
                .hasLineCount(1);
        assertThat(Cli.bare().run("leases", "--watch=1ms").err())
                .contains("100ms or more")
                .hasLineCount(1);
        assertThat(Cli.bare().run("leases", "--color", "blue").exitCode()).isEqualTo(2);
        assertThat(Cli.bare().run("help", "docter").exitCode()).isEqualTo(2);
    }

    @Test
    void forProgramsAWrongCommandLineIsADocumentToo() {
        Cli.Ran ran = Cli.bare().run("leases", "--json", "--frob");
        assertThat(ran.exitCode()).isEqualTo(2);
        String error =
                JsonParser.parseString(ran.out()).getAsJsonObject().get("error").getAsString();
        assertThat(ran.err()).isEqualTo("leasehold: " + error + "\n");
    }

    @Test
    void argumentsCannotSteerTheTerminal() {
        assertThat(Cli.bare().run("a\u001b[2J\nleasehold: all is well").err())
                .doesNotContain("\u001b")
                .hasLineCount(1);
        assertThat(Cli.bare().run("leases", "--table", "a\u001b[2J\n.b.c").err())
                .doesNotContain("\u001b")
                .hasLineCount(1);
    }

    @Test
    void norCanAStackTrace() {
        assertThat(Cli.bare()
                        .run("leases", "--stacktrace", "--url", "postgres://bob%1B%5B2J@localhost:1/app")
                        .err())
                .contains("\tat ")
                .doesNotContain("\u001b");
    }

    @Test
    void helpIsColouredOnATerminalOnly() {
        assertThat(Cli.bare().run("help", "leases").out()).doesNotContain("\u001b");
        assertThat(Cli.bare().at(Cli.WIDE, "").run("help", "leases").out()).contains("\u001b[");
        assertThat(Cli.bare()
                        .at(Cli.WIDE, "")
                        .with("NO_COLOR", "1")
                        .run("help", "leases")
                        .out())
                .doesNotContain("\u001b");
    }

    @Test
    void aCompletionForTheShellIsPrinted() {
        assertThat(Cli.bare().run("generate-completion").out()).contains("_complete_leasehold", "doctor");
    }
}
