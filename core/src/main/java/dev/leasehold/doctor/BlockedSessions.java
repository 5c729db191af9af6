package dev.leasehold.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sessions that wait for locks of others, as a tree whose roots wait for nobody. */
final class BlockedSessions implements Check {

    /** Shorter waits are what locks are for. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    /** By then most clients have given up. */
    static final Duration LONG = Duration.ofSeconds(30);

    private static final List<String> COLUMNS =
            List.of("session", "waits", "for", "state", "client", "application", "query");

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        List<Session> sessions = Session.all(sight);
        var undecoded = new KeyNames(List.of(), sight.server().database());
        if (Wait.all(sight, undecoded).isEmpty()) {
            return List.of();
        }
        var names = new KeyNames(HashedName.all(sight), sight.server().database());
        return judge(sessions, Wait.all(sight, names), PreparedTransaction.all(sight));
    }

    static List<Finding> judge(List<Session> sessions, List<Wait> all, List<PreparedTransaction> prepared) {
        WaitTree tree = WaitTree.of(all, SHORTEST);
        List<Wait> waits = tree.waits();
        if (waits.isEmpty()) {
            return List.of();
        }
        Duration longest =
                waits.stream().map(Wait::age).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        Map<Integer, Session> byPid = sessions.stream().collect(Collectors.toMap(Session::pid, Function.identity()));
        Map<Integer, Wait> waitOf = waits.stream().collect(Collectors.toMap(Wait::pid, Function.identity()));
        List<List<String>> rows = tree.lines().stream()
                .map(line -> row(line, byPid.get(line.pid()), waitOf.get(line.pid()), prepared))
                .toList();
        return List.of(new Finding(
                FindingKind.BLOCKED_SESSIONS,
                longest.compareTo(LONG) >= 0 ? Severity.PROBLEM : Severity.RISK,
                Words.count(waits.size(), "session") + (waits.size() == 1 ? " waits" : " wait")
                        + " for locks, the longest for " + Words.duration(longest) + ": "
                        + inTheWay(tree, byPid, prepared),
                Words.table(COLUMNS, rows),
                "Each session waits for the one that it is indented under, and keeps its connection meanwhile. What stands"
                        + " at the left is the cause; the others go on once it ends its transaction or frees its lock.",
                remedy(tree, byPid, prepared)));
    }

    private static String inTheWay(WaitTree tree, Map<Integer, Session> byPid, List<PreparedTransaction> prepared) {
        if (tree.roots().isEmpty()) {
            return "they wait for each other";
        }
        if (tree.roots().size() > 1) {
            return tree.roots().size() + " others are in their way";
        }
        int root = tree.roots().first();
        Session session = byPid.get(root);
        String state = session == null ? "" : " (" + session.stateWords() + ")";
        return session(root, prepared) + state + " is in the way";
    }

    private static String session(int pid, List<PreparedTransaction> prepared) {
        if (pid != Wait.PREPARED) {
            return "session " + pid;
        }
        return prepared.size() == 1 ? "prepared transaction " + prepared.get(0).name() : "a prepared transaction";
    }

    private static List<String> row(
            WaitTree.Line line, @Nullable Session session, @Nullable Wait wait, List<PreparedTransaction> prepared) {
        String who = line.pid() == Wait.PREPARED ? session(line.pid(), prepared) : Integer.toString(line.pid());
        String first = "  ".repeat(line.depth()) + who;
        if (line.isRepeat()) {
            return List.of(first, "", "", "see above", "", "", "");
        }
        return List.of(
                first,
                wait == null ? "" : Words.duration(wait.age()),
                wait == null ? "" : wait.what(),
                session == null ? "" : session.stateWords(),
                session == null ? "" : session.client().addressOrHidden(),
                session == null ? "" : session.who(),
                session == null ? "" : session.query());
    }

    private static String remedy(WaitTree tree, Map<Integer, Session> byPid, List<PreparedTransaction> prepared) {
        if (tree.roots().isEmpty()) {
            return "PostgreSQL ends one of them after deadlock_timeout. Let the application take its locks in one order.";
        }
        int root = tree.roots().first();
        if (root == Wait.PREPARED) {
            return "End the prepared transaction, in its database: " + PreparedTransaction.remedy(prepared);
        }
        Session session = byPid.get(root);
        boolean isActive = session != null && session.state() == SessionState.ACTIVE;
        String end = isActive
                ? "Let it finish, or cancel its statement: `select pg_cancel_backend(" + root + ");`"
                : "It waits for its application, not for the server: let that commit, unlock or close, or cut it off: "
                        + Words.terminate(List.of(root));
        return end + (tree.roots().size() > 1 ? " Then look again for the next one." : "");
    }
}
