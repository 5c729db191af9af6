package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

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

    private static final List<Column> COLUMNS = List.of(
            text("session"),
            number("pid"),
            duration("waited"),
            text("waits_for"),
            text("state"),
            duration("for"),
            text("client"),
            text("application"),
            text("query"));

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        List<Session> sessions = sight.sessions();
        var undecoded = new KeyNames(List.of(), sight.server().database());
        if (Wait.all(sight, undecoded).isEmpty()) {
            return List.of();
        }
        return judge(sessions, Wait.all(sight, sight.keyNames()), PreparedTransaction.all(sight));
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
        List<List<Object>> rows = tree.lines().stream()
                .map(line -> row(line, byPid.get(line.pid()), waitOf.get(line.pid()), prepared))
                .toList();
        return List.of(new Finding(
                FindingKind.BLOCKED_SESSIONS,
                longest.compareTo(LONG) >= 0 ? Severity.PROBLEM : Severity.RISK,
                Counted.text(waits.size(), "session") + (waits.size() == 1 ? " waits" : " wait")
                        + " for locks, the longest for " + Ages.text(longest) + ": "
                        + inTheWay(tree, byPid, prepared),
                Evidence.of(COLUMNS, rows),
                meaning(tree),
                remedy(tree, byPid, prepared)));
    }

    private static String meaning(WaitTree tree) {
        return "Each session waits for the one that it is indented under, and keeps its connection meanwhile. "
                + (tree.roots().isEmpty()
                        ? "PostgreSQL ends one of them after deadlock_timeout."
                        : "What is in the way is the cause: the others go on once it ends its transaction or frees its lock.");
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

    private static List<Object> row(
            WaitTree.Line line, @Nullable Session session, @Nullable Wait wait, List<PreparedTransaction> prepared) {
        boolean isPrepared = line.pid() == Wait.PREPARED;
        String first = "  ".repeat(line.depth())
                + (isPrepared ? session(line.pid(), prepared) : wait == null ? "in the way" : "waits")
                + (line.isRepeat() ? ", see above" : "");
        Object pid = isPrepared ? Evidence.ABSENT : line.pid();
        if (line.isRepeat()) {
            return List.of(first, pid, "", "", "", "", "", "", "");
        }
        return List.of(
                first,
                pid,
                wait == null ? "" : wait.age(),
                wait == null ? "" : wait.what(),
                session == null ? "" : session.stateOrHidden(),
                session == null ? "" : Evidence.cell(session.stateFor()),
                session == null ? "" : session.client().addressOrHidden(),
                session == null ? "" : session.who(),
                session == null ? "" : session.query());
    }

    private static Remedy remedy(WaitTree tree, Map<Integer, Session> byPid, List<PreparedTransaction> prepared) {
        if (tree.roots().isEmpty()) {
            return Remedy.none().forGood("Let the application take its locks in one order.");
        }
        int root = tree.roots().first();
        if (root == Wait.PREPARED) {
            return PreparedTransaction.remedy(prepared);
        }
        Remedy end = endOf(root, byPid.get(root));
        return tree.roots().size() > 1 ? end.then("Then look again for the next one.") : end;
    }

    private static Remedy endOf(int root, @Nullable Session session) {
        SessionState state = session == null ? SessionState.UNKNOWN : session.state();
        return switch (state) {
            case ACTIVE ->
                Remedy.now("Let session " + root + " finish, or cancel its statement.", SqlText.cancel(List.of(root)));
            case IDLE, IDLE_IN_TRANSACTION ->
                Remedy.now(
                        "Session " + root + " waits for its application, not for the server: let that commit, unlock or"
                                + " close; or cut it off.",
                        SqlText.terminate(List.of(root)));
            case UNKNOWN ->
                Remedy.now(
                        "Whether session " + root
                                + " works or waits for its application is hidden: ask there before you cut"
                                + " it off.",
                        SqlText.terminate(List.of(root)));
        };
    }
}
