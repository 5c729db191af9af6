package dev.leasehold.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Whatever is written after any command: it can be parsed, it is explained, and no password of it is repeated. */
class CommandLinesTest {

    private static final String URL = "postgres://bob:s3cret@localhost:1/app";

    private static CommandLine root(Cli cli) {
        return cli.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    }

    private static List<String> commands() {
        return root(Cli.bare()).getSubcommands().keySet().stream()
                .filter(name -> !List.of("help", "generate-completion").contains(name))
                .toList();
    }

    private static CommandSpec spec(Cli cli, String name) {
        return requireNonNull(root(cli).getSubcommands().get(name)).getCommandSpec();
    }

    private static Stream<String> options() {
        return commands().stream()
                .flatMap(name -> spec(Cli.bare(), name).options().stream()
                        .filter(option -> option.arity().max() > 0)
                        .map(option -> name + " " + option.longestName()));
    }

    @ParameterizedTest
    @MethodSource("options")
    void everyOptionHasAConverter(String option) {
        CommandLine root = root(Cli.bare());
        for (String value : List.of("1", "5m", "x")) {
            try {
                root.parseArgs((option + "=" + value).split(" ", -1));
            } catch (ParameterException e) {
                assertThat(e.getMessage()).doesNotContain("TypeConverter", "Exception");
            }
        }
    }

    private static Stream<List<String>> misplacedUrls() {
        return commands().stream()
                .flatMap(name -> Stream.of(
                                List.of("--urll=" + URL),
                                List.of("--urll", URL, "--json"),
                                List.of("-v" + URL),
                                List.of("--url", URL, "--url", URL),
                                List.of("--url=" + URL, "--url"),
                                List.of(URL, URL, URL, "--json"),
                                List.of("--url", "mysql://bob:s3cret@localhost:1/app"),
                                List.of("--url", "postgres://bob:a b", "s3cret@localhost:1/app"),
                                List.of("--table", URL, "--stacktrace", "x", "/bin/true"),
                                List.of("--color", URL),
                                List.of("--watch=" + URL),
                                List.of("--history", URL),
                                List.of("--budget", URL),
                                List.of("--limit=" + URL),
                                List.of("--role", URL),
                                List.of("--long-transaction=" + URL),
                                List.of("--ttl", URL),
                                List.of("--on-loss", URL),
                                List.of("--busy-exit", URL),
                                List.of("x", URL),
                                List.of("--json", "x", "bob:s3cret@localhost", "y"),
                                List.of("--frob=bob:s3cret@localhost"),
                                List.of("host=localhost password = s3cret", "x"),
                                List.of("--frob", "PGPASSWORD=s3cret"))
                        .filter(rest -> hasOption(name, rest.get(0)))
                        .map(rest ->
                                Stream.concat(Stream.of(name), rest.stream()).toList()));
    }

    /** Or it is none of any command. */
    private static boolean hasOption(String name, String argument) {
        String option = argument.replaceFirst("=.*", "");
        return !option.startsWith("--")
                || option.matches("--(urll|frob|json)")
                || spec(Cli.bare(), name).findOption(option) != null;
    }

    @ParameterizedTest
    @MethodSource("misplacedUrls")
    void noPasswordIsRepeatedWhereverItStands(List<String> arguments) {
        Cli.Ran ran = Cli.bare().run(arguments.toArray(String[]::new));
        assertThat(ran.exitCode()).as("%s", ran).isIn(0, 2, 125, 127);
        assertThat(ran.out() + ran.err()).isNotBlank().doesNotContain("s3cret");
    }

    @Test
    void whatIsHiddenLeavesTheRestReadable() {
        assertThat(Cli.bare().run("leases", "--urll=" + URL).err())
                .isEqualTo("leasehold: Unknown option: '--urll=postgres://...'; did you mean --url?"
                        + " (see: leasehold help leases)\n");
        assertThat(Cli.bare().run("leases", URL, URL).err())
                .startsWith("leasehold: Unmatched argument at index 2: 'postgres://...'");
        assertThat(Cli.bare().run(URL).err()).startsWith("leasehold: Unmatched argument at index 0: 'postgres://...'");
        assertThat(Cli.bare().run("pause", URL).err())
                .startsWith("leasehold: Invalid value for positional parameter at index 0 (ROUND): it says how to"
                        + " connect: that is a URL, and goes after --url");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100})
    void helpTellsExitCodesAndBreaksNoExampleAndNoUrl(int columns) {
        Cli cli = Cli.bare().at(new Terminal(false, false, true, new TerminalSize(24, columns)), "");
        for (String name : commands()) {
            var usage = spec(cli, name).usageMessage();
            List<String> lines = cli.run("help", name).out().lines().toList();
            assertThat(lines).as(name).allMatch(line -> line.length() <= columns);
            assertThat(lines)
                    .as(name)
                    .contains("Exit codes:")
                    .anyMatch(line -> line.contains("postgresql://user@host/db,"));
            List<String> examples = Stream.of(usage.footer())
                    .filter(line -> line.startsWith("  "))
                    .toList();
            assertThat(lines).as(name).containsAll(examples);
            if (List.of("doctor", "exec", "budget", "leases", "rounds").contains(name)) {
                assertThat(examples).as(name).anyMatch(line -> line.startsWith("  leasehold " + name));
            }
        }
    }

    @Test
    void theExamplesOfTheHelpAreUnderstood() {
        for (String name : commands()) {
            var usage = spec(Cli.bare(), name).usageMessage();
            String examples = String.join(
                            "\n",
                            Stream.of(usage.footer())
                                    .filter(line -> line.startsWith("  "))
                                    .toList())
                    .replace("\\\n", "");
            for (String example : examples.lines().toList()) {
                String[] words = example.replaceFirst(" \\| .*", "").strip().split(" +", -1);
                root(Cli.bare())
                        .parseArgs(List.of(words).subList(1, words.length).toArray(String[]::new));
            }
        }
    }
}
