package dev.leasehold.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code leasehold}; what it does is in its subcommands. */
@Command(
        name = "leasehold",
        description = "Who holds which lease in a PostgreSQL database, and why is the pool empty?",
        mixinStandardHelpOptions = true,
        subcommands = {})
final class Leasehold {

    private Leasehold() {}

    /** Runs one subcommand, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Leasehold()).execute(arguments));
    }
}
