package dev.leasehold.cli;

import com.google.gson.JsonObject;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
        return commandLine(Surroundings.ofProcess(), writer(System.out), writer(System.err))
                .execute(arguments);
    }

    /** UTF-8 whatever the locale says, as JSON has to be. */
    private static PrintWriter writer(PrintStream stream) {
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
        String line = PlainText.inALine(String.valueOf(e.getMessage())) + suggestion(e);
        say(
                command,
                line + " (see: " + helpOf(command) + ")",
                List.of(arguments).contains(JSON));
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
        if (own.hasMatchedOption("--stacktrace")) {
            var trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            command.getErr().print(PlainText.asItIs(trace.toString()));
        }
        say(command, ErrorLine.of(e), own.hasMatchedOption(JSON));
        return e instanceof CommandFailure failure
                ? failure.exitCode()
                : command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** For programs the line is a document too. */
    private static void say(CommandLine command, String line, boolean isJson) {
        command.getErr().println("leasehold: " + line);
        command.getErr().flush();
        if (isJson) {
            JsonObject error = Json.object().with("error", line).build();
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
