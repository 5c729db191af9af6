package dev.leasehold.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Transactions of clients that are open for long, or idle. */
final class LongTransactions implements Check {

    private static final List<String> COLUMNS =
            List.of("pid", "client", "application", "user", "database", "open", "state", "behind", "query");

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        return judge(
                Session.all(sight),
                sight.questions().longTransaction(),
                sight.questions().idleTransaction());
    }

    static List<Finding> judge(List<Session> sessions, Duration longest, Duration longestIdle) {
        List<Session> told = sessions.stream()
                .filter(session -> session.isClient() && !session.isOwn())
                .filter(session -> isAtLeast(session.open(), longest) || isIdle(session, longestIdle))
                .sorted(Comparator.comparing((Session session) -> session.open().orElse(Duration.ZERO))
                        .reversed())
                .toList();
        if (told.isEmpty()) {
            return List.of();
        }
        List<Integer> idle = told.stream()
                .filter(session -> session.state() == SessionState.IDLE_IN_TRANSACTION)
                .map(Session::pid)
                .toList();
        return List.of(new Finding(
                FindingKind.LONG_TRANSACTIONS,
                Severity.RISK,
                title(told, idle.size()),
                Words.table(COLUMNS, told.stream().map(LongTransactions::row).toList()),
                meaning(told),
                remedy(idle)));
    }

    private static boolean isIdle(Session session, Duration longest) {
        return session.state() == SessionState.IDLE_IN_TRANSACTION && isAtLeast(session.stateFor(), longest);
    }

    private static boolean isAtLeast(Optional<Duration> age, Duration least) {
        return age.filter(one -> one.compareTo(least) >= 0).isPresent();
    }

    private static String title(List<Session> told, int idle) {
        Duration oldest = told.get(0).open().orElse(Duration.ZERO);
        return Words.count(told.size(), "transaction")
                + (told.size() == 1 ? " is open for " : " are open for long, the oldest for ")
                + Words.duration(oldest)
                + (idle == 0 ? "" : "; " + idle + " of " + told.size() + (idle == 1 ? " is" : " are") + " idle");
    }

    private static String meaning(List<Session> told) {
        int behind = told.stream()
                .mapToInt(session -> session.behind().orElse(0))
                .max()
                .orElse(0);
        boolean isHorizon = told.stream().anyMatch(session -> session.behind().isPresent());
        return "Each keeps its connection and every lock it took; one that is idle waits for its application, which does"
                + " something else meanwhile."
                + (isHorizon
                        ? " Rows that died since cannot be removed: they hold back the horizon by "
                                + Words.count(behind, "transaction") + "."
                        : "");
    }

    private static String remedy(List<Integer> idle) {
        String end = idle.isEmpty()
                ? "If a statement should not take that long, `select pg_cancel_backend(pid);` with its pid ends it."
                : "End the transaction in the application before it calls anything slow; now, " + Words.terminate(idle)
                        + " cuts the idle ones off and rolls them back.";
        return end + " For good: idle_in_transaction_session_timeout and statement_timeout of the application's role.";
    }

    private static List<String> row(Session session) {
        return List.of(
                Integer.toString(session.pid()),
                session.client().addressOrHidden(),
                session.client().application(),
                session.client().role(),
                session.client().database(),
                session.open().map(Words::duration).orElse(""),
                session.stateWords(),
                session.behind().map(String::valueOf).orElse(""),
                session.query());
    }
}
