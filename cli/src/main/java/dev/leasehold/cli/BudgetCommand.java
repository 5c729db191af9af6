package dev.leasehold.cli;

import dev.leasehold.doctor.Budget;
import dev.leasehold.doctor.Capacity;
import dev.leasehold.doctor.Doctor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether the connections that a deployment needs fit the server. */
@Command(
        name = "budget",
        header = "How many connections a deployment needs.",
        mixinStandardHelpOptions = true,
        description = {
            "How many connections the instances of an application need, during a deploy too, against what the server has:"
                    + " what is left, and the largest pool that fits: for all roles, and for each with the others as they are.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it fits, or no limit is known",
            "1:it does not fit",
            "2:the database could not be asked, or an option is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "Three roles, two instances of each, an old and a new one at the same time during a deploy, a pool of"
                    + " four: 3 x 2 x 2 x 4 = 48 connections of 120.",
            "",
            "  leasehold budget --role web=2x4 --role worker=2x4 \\",
            "    --role scheduler=2x4 --overlap 2 --limit 120",
            "",
            "Against what a server has for a role, ten connections kept for people:",
            "",
            "  leasehold budget postgresql://ops@db.example.org/app \\",
            "    --role web=2x4 --as app --reserve 10",
            "",
            "With --json: fits, needed, limit, left, largest_pool (but for needed null if no limit is known), reserve, roles: [name, instances, overlap, pool,"
                    + " connections, largest_pool], server: null or [usable, max_connections, superuser_reserved, reserved,"
                    + " database, database_limit, role, role_limit, connected, connected_to_database, connected_as_role]."
        })
final class BudgetCommand implements Callable<Integer> {

    private static final int LARGEST = 1_000_000;

    @Option(
            names = "--role",
            required = true,
            paramLabel = "NAME=INSTANCESxPOOL[xOVERLAP]",
            converter = RoleText.class,
            description =
                    "What runs with a pool of its own: how many instances on all nodes, and how many connections each"
                            + " has at most. Several times, for several of them.")
    List<RoleText.Written> roles = new ArrayList<>();

    @Option(
            names = "--overlap",
            paramLabel = "N",
            description =
                    "How many of each instance run at the same time during a deploy: 2 for an old and a new one, 1 where"
                            + " the old one ends first. Default: 2.")
    int overlap = 2;

    @Option(
            names = "--reserve",
            paramLabel = "N",
            description = "Connections to keep for people and tools: psql, migrations, backups. Default: 0.")
    int reserve;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description =
                    "How many connections there are, instead of asking a server. Without it, and without a URL, DATABASE_URL"
                            + " or PG* variables, only the need is told.")
    @Nullable
    Integer limit;

    @Option(
            names = "--as",
            paramLabel = "ROLE",
            description =
                    "The role of the server that the instances connect as, whose limit counts. Default: that of --url.")
    @Nullable
    String as;

    @Mixin
    DatabaseArgument database = new DatabaseArgument();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var budget =
                new Budget(roles.stream().map(role -> role.withOverlap(overlap)).toList());
        require("--reserve", reserve);
        Optional<Capacity> capacity = capacity();
        var view = new BudgetView(
                budget, Optional.ofNullable(limit).or(() -> capacity.map(Capacity::usable)), reserve, capacity);
        view.show(output.output());
        return view.fits().orElse(true) ? ExitCode.WELL : ExitCode.FINDINGS;
    }

    /** Empty if no server is to be asked. */
    private Optional<Capacity> capacity() {
        if (limit == null && as == null && !database.isNamed()) {
            return Optional.empty();
        }
        if (limit == null) {
            Doctor doctor = Doctor.on(database.dataSource());
            return Optional.of(as == null ? doctor.capacity() : doctor.capacityFor(as));
        }
        require("--limit", limit);
        if (database.given() != null || as != null) {
            throw new IllegalArgumentException("--limit does not go with " + (as == null ? "a URL" : "--as")
                    + ": it stands for what a server says");
        }
        return Optional.empty();
    }

    private static void require(String option, int value) {
        if (value < 0 || value > LARGEST) {
            throw new IllegalArgumentException(option + " is " + value + ", but must be 0 to 1,000,000");
        }
    }
}
