package dev.leasehold.launcher;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/**
 * The program behind ./run.
 *
 * <p>Exit codes: 2 for wrong options or a database that can't be used, 1 for any other failure, 130 after Ctrl-C and 143
 * after SIGTERM, which are the way to end it.
 */
public final class Launcher {

    private Launcher() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    @SuppressWarnings("SystemOut") // the console is this program's output
    private static int run(String[] args) {
        Options options = new Options();
        try {
            new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options)
                            .name("./run"))
                    .parseArgs(args);
            options.check();
            DataFolder data = DataFolder.of(options.project.resolve(".data"));
            logLibrariesTo(data);
            return run(options, data, new Console(System.out, Ansi.AUTO.enabled()));
        } catch (ParameterException e) {
            return fail(2, e.getMessage() + "; see ./run --help");
        } catch (LaunchException e) {
            return fail(e.exitCode(), e.line());
        } catch (IOException e) {
            return fail(1, e.toString());
        }
    }

    /** Whatever fails once a signal has come is part of the end, and the signal's exit code stands. */
    private static int run(Options options, DataFolder data, Console console) {
        Lifecycle lifecycle = new Lifecycle(console);
        lifecycle.endOnSignal();
        try {
            new Run(options, data, console, lifecycle).untilNoNodeLives();
            return lifecycle.isEnding() ? 0 : fail(1, "no node is left");
        } catch (LaunchException e) {
            return lifecycle.isEnding() ? 0 : fail(e.exitCode(), e.line());
        } catch (Exception e) {
            return lifecycle.isEnding() ? 0 : fail(1, e.toString());
        } finally {
            lifecycle.end();
        }
    }

    private static void logLibrariesTo(DataFolder data) throws IOException {
        System.setProperty(
                "org.slf4j.simpleLogger.logFile", data.freshLog("launcher").toString());
        System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
    }

    @SuppressWarnings("SystemOut")
    private static int fail(int exitCode, String line) {
        System.err.println("run: " + line);
        return exitCode;
    }
}
