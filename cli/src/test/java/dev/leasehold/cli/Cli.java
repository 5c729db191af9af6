package dev.leasehold.cli;

import dev.leasehold.testkit.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;

/** The command line run in this process: what it said, and its exit code. */
record Cli(Map<String, String> environment, Path home, Terminal terminal, InputStream answers) {

    static final Terminal WIDE = new Terminal(true, true, false, new TerminalSize(24, 80));

    record Ran(int exitCode, String out, String err) {}

    /** With nothing in its environment. */
    static Cli bare() {
        return new Cli(Map.of(), Path.of("/nonexistent"), Terminal.none(), InputStream.nullInputStream());
    }

    /** For which that database is the one of the environment. */
    static Cli on(TestDatabase database) {
        return bare().with("PGHOST", "localhost")
                .with("PGPORT", String.valueOf(database.port()))
                .with("PGDATABASE", database.name())
                .with("PGUSER", database.user());
    }

    Cli with(String variable, String value) {
        var more = new HashMap<>(environment);
        more.put(variable, value);
        return new Cli(Map.copyOf(more), home, terminal, answers);
    }

    Cli in(Path newHome) {
        return new Cli(environment, newHome, terminal, answers);
    }

    /** At a terminal, where somebody types that. */
    Cli at(Terminal newTerminal, String typed) {
        return at(newTerminal, new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
    }

    Cli at(Terminal newTerminal, InputStream typed) {
        return new Cli(environment, home, newTerminal, typed);
    }

    Ran run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = commandLine(new PrintWriter(out), new PrintWriter(err)).execute(arguments);
        return new Ran(exitCode, out.toString(), err.toString());
    }

    CommandLine commandLine(PrintWriter out, PrintWriter err) {
        var surroundings = new Surroundings(environment, home, "alice", terminal, answers);
        return Execution.commandLine(surroundings, out, err);
    }
}
