package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.list;
import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

import dev.leasehold.doctor.Pooling.Mode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@link FindingKind#POOLER}: what {@link PoolerProbe} has seen, and session-level locks that are left on its connections. */
final class PoolerCheck implements Check {

    private static final String REFUSED =
            "session-level advisory locks, LISTEN, settings of the session, temporary tables";

    /**
     * A session that holds advisory locks although it is idle, and comes from where the pooler is.
     *
     * @param isMine it serves this very look
     */
    record Left(int pid, boolean isMine, String application, long locks, Duration idle) {}

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        Pooling pooling = sight.pooling();
        var findings = new ArrayList<>(judge(pooling));
        if (pooling.mode() == Mode.TRANSACTION) {
            findings.addAll(judge(
                    pooling,
                    sight.rows(
                            DoctorSql.LOCKS_LEFT_BY_POOLED_CLIENTS,
                            row -> new Left(
                                    row.getInt("pid"),
                                    row.getBoolean("is_mine"),
                                    row.getString("application"),
                                    row.getLong("locks"),
                                    Duration.ofMillis(row.getLong("idle_millis"))))));
        }
        return findings;
    }

    static List<Finding> judge(Pooling pooling) {
        return switch (pooling.mode()) {
            case NONE -> List.of();
            case TRANSACTION -> List.of(transactions(pooling));
            case SESSION ->
                List.of(new Finding(
                        FindingKind.POOLER,
                        Severity.INFORMATION,
                        "a pooler is between, and its connections keep their server process, as far as was seen",
                        evidence(pooling),
                        "Session state stays with its connection. A client that waits for the pooler is in no list of the"
                                + " server.",
                        Remedy.none()));
            case UNKNOWN ->
                List.of(new Finding(
                        FindingKind.POOLER,
                        Severity.INFORMATION,
                        "a pooler is between, and whether it pools transactions could not be told: no second connection came"
                                + " or answered within " + Ages.text(SecondConnection.BOUND),
                        evidence(pooling),
                        "If it pools transactions, these do not work: " + REFUSED + ", and statements that the driver"
                                + " prepares on the server.",
                        Remedy.now(
                                "Look at the pooler's own settings (PgBouncer: pool_mode), or look again with a second"
                                        + " connection to spare.")));
        };
    }

    private static Finding transactions(Pooling pooling) {
        boolean prepares = pooling.prepareThreshold().orElse(0) > 0 && !pooling.keepsStatements();
        return new Finding(
                FindingKind.POOLER,
                prepares ? Severity.RISK : Severity.INFORMATION,
                "a pooler is between that gives each transaction another connection to the server"
                        + (prepares
                                ? ", and the driver prepares statements on it (prepareThreshold="
                                        + pooling.prepareThreshold().orElseThrow() + ")"
                                : ""),
                evidence(pooling),
                "What belongs to a session does not work: " + REFUSED + "."
                        + (prepares
                                ? " A statement that the driver has prepared on one server connection is unknown on the"
                                        + " next (26000), or exists there already (42P05)."
                                : " Leases and rounds work."),
                prepares
                        ? Remedy.now(
                                "Add prepareThreshold=0 to the JDBC URL: leases work then. Only PgBouncer from 1.21 on, with"
                                        + " max_prepared_statements above 0, serves the driver as it is.")
                        : Remedy.none()
                                .forGood(
                                        "Give what needs a session (migrations, LISTEN, session-level locks) a URL past the"
                                                + " pooler."));
    }

    private static Evidence evidence(Pooling pooling) {
        return Evidence.of(
                List.of(number("handshake"), list("served"), number("threshold")),
                List.of(List.of(
                        Evidence.cell(pooling.handshake()),
                        pooling.served().stream().sorted().toList(),
                        Evidence.cell(pooling.prepareThreshold()))));
    }

    /** Proven where the process has served this look: then nobody but the pooler has it. */
    static List<Finding> judge(Pooling pooling, List<Left> left) {
        if (left.isEmpty()) {
            return List.of();
        }
        boolean isProven =
                left.stream().anyMatch(one -> one.isMine() || pooling.served().contains(one.pid()));
        long locks = left.stream().mapToLong(Left::locks).sum();
        return List.of(new Finding(
                FindingKind.POOLER,
                isProven ? Severity.PROBLEM : Severity.RISK,
                Counted.text(locks, "session-level advisory lock") + (locks == 1 ? " is" : " are") + " held by "
                        + Counted.text(left.size(), "idle connection") + (isProven ? " of" : ", probably of")
                        + " the pooler",
                Evidence.of(
                        List.of(number("pid"), text("application"), number("locks"), duration("idle"), text("serves")),
                        left.stream()
                                .map(one -> List.<Object>of(
                                        one.pid(),
                                        OneLine.text(one.application()),
                                        one.locks(),
                                        one.idle(),
                                        one.isMine() || pooling.served().contains(one.pid()) ? "this look" : ""))
                                .toList()),
                "They stayed on the pooler's connection when the client that took them went on to another. That can hardly"
                        + " release them, and every client that gets this connection holds them.",
                Remedy.now(
                                "End these sessions, which frees the locks; the pooler opens new ones.",
                                SqlText.terminate(left.stream().map(Left::pid).toList()))
                        .forGood("Transaction-level locks or leases instead.")));
    }
}
