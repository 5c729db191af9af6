package dev.leasehold.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command says what it has to say: the options that all have. */
final class OutputOptions {

    /** When to colour. */
    enum When {
        ALWAYS,
        NEVER,
        AUTO
    }

    @Option(names = "--json", description = "One JSON document on standard output, for programs.")
    boolean json;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "always, never or auto: on a terminal, unless NO_COLOR is set. Default: auto.")
    When color = When.AUTO;

    @Option(names = "--stacktrace", hidden = true, description = "The stack trace of an error.")
    boolean stacktrace;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    Output output() {
        Surroundings surroundings = Surroundings.of(spec);
        boolean isColored = switch (color) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> isColored(surroundings);
        };
        return new Output(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                json ? Output.Form.DOCUMENT : Output.Form.TEXT,
                new Paint(isColored && !json),
                surroundings.terminal());
    }

    /** The convention of no-color.org: the variable counts if it is not empty. */
    static boolean isColored(Surroundings surroundings) {
        Terminal terminal = surroundings.terminal();
        return terminal.isOutput()
                && !terminal.isDumb()
                && surroundings.variable("NO_COLOR").isEmpty();
    }
}
