package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.list;
import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

import dev.leasehold.doctor.LocksOnIdleConnections.Circumstances;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The connections of one client: which of them are idle with advisory locks, and what that does to it. Not thread-safe. */
final class ClientLocks {

    /** By then it is no pause between two statements of the work under the lock. */
    static final Duration LONG = Duration.ofMinutes(1);

    private static final List<Column> COLUMNS = List.of(
            number("pid"),
            text("client"),
            text("application"),
            text("user"),
            text("database"),
            number("port"),
            duration("connected"),
            text("state"),
            duration("for"),
            list("locks"));

    private final Client client;
    private final Circumstances circumstances;
    private final Fill fill;
    private final List<Session> idle = new ArrayList<>();
    private final List<List<Object>> idleRows = new ArrayList<>();
    private final List<List<Object>> otherRows = new ArrayList<>();
    private boolean hasTransactions;
    private boolean hasNamed;
    private boolean hasUnnamed;

    ClientLocks(Client client, Circumstances circumstances, Fill fill) {
        this.client = client;
        this.circumstances = circumstances;
        this.fill = fill;
    }

    void add(Session session, List<AdvisoryLock> held) {
        boolean isIdle = !held.isEmpty() && LocksOnIdleConnections.isIdle(session, held);
        (isIdle ? idleRows : otherRows)
                .add(List.of(
                        session.pid(),
                        client.addressOrHidden(),
                        client.application(),
                        client.role(),
                        client.database(),
                        Evidence.cell(session.port()),
                        Evidence.cell(session.connected()),
                        state(session, held),
                        Evidence.cell(session.stateFor()),
                        circumstances.names().words(held)));
        if (isIdle) {
            idle.add(session);
            hasTransactions |= session.state() == SessionState.IDLE_IN_TRANSACTION;
            for (AdvisoryLock lock : held) {
                if (hasNamed && hasUnnamed) {
                    break;
                }
                boolean isNamed = lock.isHere()
                        && circumstances.names().meaning(lock.key()).isPresent();
                hasNamed |= isNamed;
                hasUnnamed |= lock.isHere() && !isNamed;
            }
        }
    }

    /** A session of which more is hidden is known to be idle by its not being in a transaction. */
    private static String state(Session session, List<AdvisoryLock> held) {
        if (session.state() != SessionState.UNKNOWN || held.isEmpty()) {
            return session.stateOrHidden();
        }
        return LocksOnIdleConnections.isIdle(session, held) ? SessionState.IDLE.words() : "in a transaction";
    }

    Optional<Finding> finding() {
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        var rows = new ArrayList<>(idleRows);
        rows.addAll(otherRows);
        return Optional.of(new Finding(
                FindingKind.LOCKS_ON_IDLE_CONNECTIONS,
                isAll() ? Severity.PROBLEM : Severity.RISK,
                title(),
                Evidence.of(COLUMNS, rows),
                meaning(),
                remedy()));
    }

    /** One connection may be there for its lock alone, as that of a leader or a migration. */
    private boolean isAll() {
        return idle.size() > 1 && otherRows.isEmpty();
    }

    private boolean isLong() {
        return idle.stream()
                        .filter(session -> session.stateFor()
                                .filter(time -> time.compareTo(LONG) >= 0)
                                .isPresent())
                        .count()
                > 1;
    }

    private String title() {
        int connections = idle.size() + otherRows.size();
        String counted = idle.size() + " of " + Counted.text(connections, "connection") + " of this client ";
        String who = " (" + client.words() + ")";
        if (idle.size() == 1) {
            return counted + "is idle and holds advisory locks" + who;
        }
        if (isAll()) {
            return counted + "hold advisory locks: its pool is used up by locks" + who;
        }
        return counted + "are idle and hold advisory locks"
                + (isLong() ? ": if these are one pool, it has none to lend" : "") + who;
    }

    private String meaning() {
        var meaning = new StringBuilder();
        if (idle.size() == 1) {
            meaning.append(
                    "While it holds its lock this connection serves nothing else. That is fine for a connection that is"
                            + " kept for one lock and is not of the pool; in a pool, as many locks as it has connections stop the"
                            + " application.");
        } else if (isAll()) {
            meaning.append("A connection that holds a lock serves nothing else: a pool of " + idle.size()
                    + " has none to lend, and its application stands still.");
        } else if (isLong()) {
            meaning.append("A connection that holds a lock serves nothing else. If these " + idle.size()
                    + " are the whole pool of one instance, it stands still; if the others are of the same pool, it still has"
                    + " those. The ports tell which instance has which: ss -tnp on its host.");
        } else {
            meaning.append(
                    "A connection that holds a lock serves nothing else: a pool stands still once there are as many"
                            + " locks as it has connections.");
        }
        if (idle.size() > 1 && !fill.isFull()) {
            meaning.append(" PostgreSQL itself has room: " + fill.used() + " of " + fill.limit()
                    + " usable connections are in use.");
        }
        idle.stream()
                .flatMap(session -> session.stateFor().stream())
                .max(Comparator.naturalOrder())
                .ifPresent(longest -> meaning.append((idle.size() == 1 ? " It has been" : " They have been")
                        + " idle with locks since "
                        + TimeOfDay.text(circumstances.now().minus(longest), circumstances.now()) + "."));
        if (hasTransactions) {
            meaning.append(" A lock of a session that is idle in a transaction may end with that.");
        }
        return meaning.append(aboutNames()).toString();
    }

    private String aboutNames() {
        if (!hasUnnamed) {
            return "";
        }
        return circumstances.hasNames() && !hasNamed
                ? " The names that were given match none of the locks."
                : " Give the names that the application locks, to see which is which (leasehold doctor --name NAME, or"
                        + " Doctor.withNames): their hashes are compared.";
    }

    private Remedy remedy() {
        String which = idle.size() == 1 ? "this session" : "these sessions";
        return Remedy.now(
                        "First take a thread dump of the application: it is the evidence. A job whose thread waits there for a"
                                + " connection (in HikariPool.getConnection, for example) still works under its lock; without"
                                + " such a thread, the connection went back to the pool without an unlock. Then restart the"
                                + " instance that is stuck (the port tells which: ss -tnp on its host), or end " + which
                                + ". Beware: a job may go on without its lock, so that two instances do the same work; and"
                                + " threads that wait may take the locks again.",
                        SqlText.terminate(idle.stream().map(Session::pid).toList()))
                .forGood("Locks that hold no connection: a lease in a table, or pg_try_advisory_xact_lock in a short"
                        + " transaction. Until then a small pool for the locks alone, or a pool larger than the number of"
                        + " locks; and a health probe that fails fast when the pool is empty.");
    }
}
