package dev.leasehold.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The connections of one client: how many are idle with advisory locks, and how many it can still use. Not thread-safe. */
final class ClientLocks {

    static final List<String> COLUMNS = List.of("pid", "client", "application", "user", "database", "state", "locks");

    private static final int MOST_LOCKS = 3;

    private final Client client;
    private final KeyNames names;
    private final List<Integer> idle = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();
    private int connections;
    private int withoutLocks;
    private int free;
    private boolean hasTransactions;
    private boolean hasUnnamed;

    ClientLocks(Client client, KeyNames names) {
        this.client = client;
        this.names = names;
    }

    void add(Session session, List<AdvisoryLock> held) {
        connections++;
        if (held.isEmpty()) {
            withoutLocks++;
            free += session.state() == SessionState.IDLE || session.state() == SessionState.UNKNOWN ? 1 : 0;
        } else if (LocksOnIdleConnections.isIdle(session, held)) {
            idle.add(session.pid());
            rows.add(row(session, held, names));
            hasTransactions |= session.state() == SessionState.IDLE_IN_TRANSACTION;
            hasUnnamed |= held.stream()
                    .anyMatch(lock -> lock.isHere() && names.meaning(lock.key()).isEmpty());
        }
    }

    Optional<Finding> finding() {
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        boolean isUsedUp = isUsedUp();
        return Optional.of(new Finding(
                FindingKind.LOCKS_ON_IDLE_CONNECTIONS,
                isUsedUp ? Severity.PROBLEM : Severity.RISK,
                title(isUsedUp),
                Words.table(COLUMNS, rows),
                meaning(isUsedUp),
                remedy()));
    }

    /**
     * One connection may be there for its lock alone, as that of a leader or a migration. Where more than half are busy without
     * a lock, it is work that uses the pool up.
     */
    private boolean isUsedUp() {
        return idle.size() > 1 && free == 0 && withoutLocks <= idle.size();
    }

    private String title(boolean isUsedUp) {
        String counted = idle.size() + " of " + Words.count(connections, "connection") + " of this client "
                + (idle.size() == 1 ? "holds" : "hold") + " advisory locks";
        if (!isUsedUp) {
            return counted + " while idle (" + client.words() + ")";
        }
        String others = idle.size() == connections ? "" : ", and no other is free";
        return counted + others + ": its pool is used up by locks (" + client.words() + ")";
    }

    private String meaning(boolean isUsedUp) {
        var meaning = new StringBuilder();
        if (isUsedUp) {
            meaning.append(
                    "Each lock pins the connection that it was taken on until that session unlocks or ends, and work"
                            + " under the lock needs another connection. A pool of " + connections
                            + " stands still once "
                            + connections
                            + " locks are held: requests wait in the application, while the server looks idle.");
        } else {
            meaning.append(
                    "Each lock pins the connection that it was taken on, and work under it needs another one: a pool"
                            + " of N stands still once N locks are held. The " + Words.count(connections, "connection")
                            + " may be those of several pools or instances, one of which may be used up already.");
        }
        meaning.append(" A connection is idle with a lock because a thread of the application keeps it for the lock, or"
                + " because it went back into the pool without an unlock.");
        if (hasTransactions) {
            meaning.append(
                    " A lock of a session that is idle in a transaction may be one of the transaction, and ends with"
                            + " it.");
        }
        return meaning.toString();
    }

    private String remedy() {
        return "Now: end the work that the locks are for, or cut the sessions off, which frees their locks at once, rolls"
                + " back what they had open, and makes the pool open new connections: " + Words.terminate(idle)
                + " For good: a lock that holds no connection, such as a lease in a table, or"
                + " pg_try_advisory_xact_lock in a transaction that is short."
                + (hasUnnamed
                        ? " The numbers are hashes or of the application's choice: give the names that it locks, to see"
                                + " which is which."
                        : "");
    }

    static List<String> row(Session session, List<AdvisoryLock> held, KeyNames names) {
        return List.of(
                Integer.toString(session.pid()),
                session.client().addressOrHidden(),
                session.client().application(),
                session.client().role(),
                session.client().database(),
                state(session, held),
                locks(held, names));
    }

    /** A session of which more is hidden is known to be idle by its not being in a transaction. */
    private static String state(Session session, List<AdvisoryLock> held) {
        if (session.state() != SessionState.UNKNOWN) {
            return session.stateWords();
        }
        return LocksOnIdleConnections.isIdle(session, held) ? "idle (since when is hidden)" : "in a transaction";
    }

    private static String locks(List<AdvisoryLock> held, KeyNames names) {
        String first =
                held.stream().limit(MOST_LOCKS).map(lock -> words(lock, names)).collect(Collectors.joining("; "));
        int more = held.size() - MOST_LOCKS;
        return more <= 0 ? first : first + "; and " + more + " more";
    }

    private static String words(AdvisoryLock lock, KeyNames names) {
        String key = lock.isHere() ? names.words(lock.key()) : lock.key().toString();
        return lock.isShared() ? key + ", shared" : key;
    }
}
