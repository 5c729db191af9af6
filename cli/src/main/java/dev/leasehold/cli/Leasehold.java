package dev.leasehold.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code leasehold}; what it does is in its subcommands. */
@Command(
        name = "leasehold",
        description = "Who holds which lease in a PostgreSQL database, and why is the pool empty?",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Passwords come from PGPASSWORD or the file .pgpass, as for psql."},
        subcommands = {
            DoctorCommand.class,
            LeasesCommand.class,
            RoundsCommand.class,
            ReleaseCommand.class,
            RunNowCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            BudgetCommand.class,
            ExecCommand.class,
            SchemaCommand.class,
            AutoComplete.GenerateCompletion.class,
            CommandLine.HelpCommand.class
        })
final class Leasehold implements Callable<Integer> {

    private final Surroundings surroundings;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    Leasehold(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Runs one subcommand, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(Execution.inProcess(arguments));
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /** No command was named. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.COULD_NOT_LOOK;
    }
}
