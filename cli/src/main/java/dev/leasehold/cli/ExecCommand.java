package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while a lease is held; for shells, and for cron on several hosts. */
@Command(
        name = "exec",
        header = "Runs a command on one host at a time.",
        mixinStandardHelpOptions = true,
        description = {
            "Runs COMMAND while this host holds the lease NAME, which is renewed until the command has ended and then"
                    + " released. If another holds it, nothing is run.",
            "",
            "The command gets LEASEHOLD_LEASE, LEASEHOLD_HOLDER and LEASEHOLD_FENCE, a number that grows with every"
                    + " acquisition, in its environment; with --every LEASEHOLD_SLOT too. SIGTERM, SIGINT, SIGHUP, SIGUSR1"
                    + " and SIGUSR2 are passed on to it. Its streams are those of exec.",
            ""
        },
        customSynopsis = {"leasehold exec NAME [OPTIONS] -- COMMAND [ARG...]"},
        exitCodeOnInvalidInput = ExecCode.FAILED,
        exitCodeOnExecutionException = ExecCode.FAILED,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0..255:that of the command, if it ran; 128 + n if signal n has ended it",
            "75:it was not run: another holds the lease or, with --every, its slot has had its run or is paused (--busy-exit)",
            "124:it was ended, for the lease was not known to be held any more (--on-loss terminate)",
            "125:exec failed before it began: a wrong option, the database is away",
            "126:it can't be run",
            "127:there is no such command"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  leasehold exec report --every 15m --offset 14m \\",
            "    --busy-exit 0 -- /usr/local/bin/report",
            "  leasehold exec backup --wait 10m --ttl 1m \\",
            "    --on-loss terminate -- pg_dump -Fc -f /backup/db app"
        })
final class ExecCommand implements Callable<Integer> {

    private static final int LARGEST_CODE = 255;

    @Parameters(index = "0", paramLabel = "NAME", converter = NameText.class, description = "The lease.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            parameterConsumer = Rest.class,
            description = "What to run, and its arguments: all that follows, options too.")
    private List<String> command = List.of();

    @Mixin
    private ExecOptions options = new ExecOptions();

    @Option(
            names = "--busy-exit",
            paramLabel = "CODE",
            description =
                    "The exit code if the command is not run because of the lease: 0 for hosts that are content with it."
                            + " Default: 75.")
    private int busyExit = ExecCode.NOT_RUN;

    @Option(names = "--json", description = "One line of JSON on standard error at the end: what has become of it.")
    private boolean json;

    @Option(
            names = {"-v", "--verbose"},
            description =
                    "Say who holds the lease, and why nothing is run; without it cron has nothing to mail of that.")
    private boolean verbose;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private LeaseOptions leases = new LeaseOptions();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** Everything that follows belongs to the command, with or without {@code --} before it. */
    static final class Rest implements IParameterConsumer {

        @Override
        public void consumeParameters(Stack<String> arguments, ArgSpec argument, CommandSpec spec) {
            List<String> rest = new ArrayList<>();
            while (!arguments.isEmpty()) {
                rest.add(arguments.pop());
            }
            argument.setValue(rest);
        }
    }

    @Override
    public Integer call() {
        var lines = new ExecLines(spec.commandLine().getErr(), verbose);
        ExecReport report = report(lines);
        if (report.isRefusal()) {
            report = report.withExitCode(busyExit);
        }
        say(report, lines);
        return report.exitCode();
    }

    private ExecReport report(ExecLines lines) {
        try {
            requireExitCode();
            requireNameBeforeCommand();
            ExecTerms terms = options.terms(name, leases.table, command);
            Optional<ExecReport> notRunnable = notRunnable();
            if (notRunnable.isPresent()) {
                return notRunnable.get();
            }
            logWarnings();
            return new ExecTry(database.dataSource(), terms, lines, SignalRelay.install()).run();
        } catch (CommandFailure | IllegalArgumentException e) {
            return ExecReport.notRun(
                    ExecOutcome.FAILED, ExecCode.FAILED, secrets().hiddenIn(ErrorLine.of(e)));
        }
    }

    private Secrets secrets() {
        return new Secrets(spec.commandLine().getParseResult().originalArgs());
    }

    private void requireExitCode() {
        if (busyExit < 0 || busyExit > LARGEST_CODE) {
            throw new IllegalArgumentException("--busy-exit is " + busyExit + ", but must be 0 to 255");
        }
    }

    /** With the name forgotten, the first word of the command would be taken for it, and the rest be run: {@code -- sudo ls}. */
    private void requireNameBeforeCommand() {
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        int dashes = given.indexOf("--");
        if (dashes >= 0 && !name.startsWith("-") && given.size() - dashes - 1 == command.size() + 1) {
            throw new IllegalArgumentException(
                    "the name of the lease is missing before --: leasehold exec NAME [options] -- COMMAND");
        }
    }

    /** Found out before the database is asked, so that no other host is kept from running it. */
    private Optional<ExecReport> notRunnable() {
        String program = command.get(0);
        String searchPath = Surroundings.of(spec).variable("PATH").orElse("/usr/bin:/bin");
        String told = secrets().hiddenIn(program);
        return switch (Program.verdict(program, searchPath)) {
            case RUNNABLE -> Optional.empty();
            case NOT_EXECUTABLE ->
                Optional.of(ExecReport.notRun(
                        ExecOutcome.NOT_EXECUTABLE, ExecCode.NOT_EXECUTABLE, told + " can't be executed"));
            case NOT_FOUND ->
                Optional.of(ExecReport.notRun(ExecOutcome.NOT_FOUND, ExecCode.NOT_FOUND, told + " was not found"));
        };
    }

    /** What the leases have to say while the command runs: renewals that fail, and losses. */
    private static void logWarnings() {
        System.setErr(new PlainStream(System.err));
        String logger = "org.slf4j.simpleLogger.";
        System.setProperty(logger + "defaultLogLevel", "warn");
        System.setProperty(logger + "showThreadName", "false");
        System.setProperty(logger + "showLogName", "false");
        System.setProperty(logger + "showDateTime", "true");
        System.setProperty(logger + "dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ssXXX");
    }

    private void say(ExecReport report, ExecLines lines) {
        if (json) {
            lines.json(report.json(name));
        } else if (!report.line().isEmpty() && (!report.isRefusal() || isToldOfRefusals())) {
            lines.warn(report.line());
        }
    }

    /** Cron would mail it from every host but one. */
    private boolean isToldOfRefusals() {
        return verbose || Surroundings.of(spec).terminal().isOutput();
    }
}
