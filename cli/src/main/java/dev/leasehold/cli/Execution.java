package dev.leasehold.cli;

import com.google.gson.JsonObject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs a command: whatever goes wrong is one line on standard error, and an exit code. */
final class Execution {

    /** The driver's log would repeat what a command says. Held here, for a logger that nobody holds forgets its level. */
    private static final Logger DRIVER_LOG = Logger.getLogger("org.postgresql");

    private static final String JSON = "--json";

    private Execution() {}

    static int inProcess(String[] arguments) {
        DRIVER_LOG.setLevel(Level.OFF);
        System.setProperty("org.postgresql.pgpassfile", "/dev/null"); // PassFile has looked, by libpq's rules
        var out = new WatchedStream(new FileOutputStream(FileDescriptor.out));
        return run(Surroundings.ofProcess(), out, new FileOutputStream(FileDescriptor.err), arguments);
    }

    /** What could not be written is an error too, and no command need look after it. */
    static int run(Surroundings surroundings, WatchedStream out, OutputStream err, String... arguments) {
        PrintWriter toErr = writer(err);
        CommandLine commandLine = commandLine(surroundings, writer(out), toErr);
        int exitCode = commandLine.execute(arguments);
        Optional<String> lost = out.lost();
        if (lost.isEmpty()) {
            return exitCode;
        }
        toErr.println("leasehold: what was to be written is lost: " + PlainText.inALine(lost.get()));
        return isOfExec(commandLine) ? ExecCode.FAILED : ExitCode.COULD_NOT_LOOK;
    }

    private static boolean isOfExec(CommandLine commandLine) {
        ParseResult parsed = commandLine.getParseResult();
        return parsed != null
                && parsed.hasSubcommand()
                && parsed.subcommand().commandSpec().userObject() instanceof ExecCommand;
    }

    /** UTF-8 whatever the locale says, as JSON has to be. */
    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    static CommandLine commandLine(Surroundings surroundings, PrintWriter out, PrintWriter err) {
        var commandLine = new CommandLine(new Leasehold(surroundings));
        commandLine.setOut(out).setErr(err);
        commandLine.setColorScheme(
                CommandLine.Help.defaultColorScheme(OutputOptions.isColored(surroundings) ? Ansi.ON : Ansi.OFF));
        commandLine.setUsageHelpAutoWidth(false);
        commandLine.setUsageHelpWidth(
                Math.min(100, Math.max(60, surroundings.terminal().size().columns())));
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // An argument of the command of exec may begin with @.
        commandLine.setExpandAtFiles(false);
        commandLine.setParameterExceptionHandler(Execution::wrongArguments);
        commandLine.setExecutionExceptionHandler(Execution::failed);
        return commandLine;
    }

    private static int wrongArguments(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        List<String> all = List.of(arguments);
        String line = new Secrets(all).hiddenIn(String.valueOf(e.getMessage())) + suggestion(e);
        say(command, ErrorCode.USAGE, PlainText.inALine(line) + " (see: " + helpOf(command) + ")", all.contains(JSON));
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String suggestion(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> suggestions = unmatched.getSuggestions();
            if (!suggestions.isEmpty()) {
                return "; did you mean " + String.join(" or ", suggestions) + "?";
            }
        }
        return "";
    }

    private static String helpOf(CommandLine command) {
        String name = command.getCommandName();
        return command.getParent() == null ? "leasehold --help" : "leasehold help " + name;
    }

    private static int failed(Exception e, CommandLine command, ParseResult root) {
        ParseResult own = command.getParseResult();
        var secrets = new Secrets(root.originalArgs());
        if (own.hasMatchedOption("--stacktrace")) {
            var trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            command.getErr().print(PlainText.asItIs(secrets.hiddenIn(trace.toString())));
        }
        say(command, ErrorCode.of(e), secrets.hiddenIn(ErrorLine.of(e)), own.hasMatchedOption(JSON));
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** For programs the line is a document too. */
    private static void say(CommandLine command, ErrorCode code, String line, boolean isJson) {
        command.getErr().println("leasehold: " + line);
        command.getErr().flush();
        if (isJson) {
            JsonObject error =
                    Json.object().with("error", line).with("code", code.text()).build();
            if (command.getCommand() instanceof ExecCommand) {
                // Its standard output is its command's.
                command.getErr().println(Json.inALine(error));
                command.getErr().flush();
                return;
            }
            command.getOut().println(Json.pretty(error));
            command.getOut().flush();
        }
    }
}
