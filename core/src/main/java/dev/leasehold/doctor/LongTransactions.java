package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Transactions of clients that are open for long, or idle. */
final class LongTransactions implements Check {

    private static final List<Column> COLUMNS = List.of(
            number("pid"),
            text("client"),
            text("application"),
            text("user"),
            text("database"),
            duration("open"),
            text("state"),
            duration("for"),
            number("behind"),
            text("query"));

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        return judge(
                sight.sessions(),
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
                Evidence.of(COLUMNS, told.stream().map(LongTransactions::row).toList()),
                meaning(told),
                remedy(told, idle)));
    }

    private static boolean isIdle(Session session, Duration longest) {
        return session.state() == SessionState.IDLE_IN_TRANSACTION && isAtLeast(session.stateFor(), longest);
    }

    private static boolean isAtLeast(Optional<Duration> age, Duration least) {
        return age.filter(one -> one.compareTo(least) >= 0).isPresent();
    }

    private static String title(List<Session> told, int idle) {
        Duration oldest = told.get(0).open().orElse(Duration.ZERO);
        return Counted.text(told.size(), "transaction")
                + (told.size() == 1 ? " is open for " : " are open for long, the oldest for ")
                + Ages.text(oldest)
                + (idle == 0 ? "" : "; " + idle + " of " + told.size() + (idle == 1 ? " is" : " are") + " idle");
    }

    private static String meaning(List<Session> told) {
        int behind = told.stream()
                .mapToInt(session -> session.behind().orElse(0))
                .max()
                .orElse(0);
        boolean isHorizon = told.stream().anyMatch(session -> session.behind().isPresent());
        return "Each keeps its connection and every lock that it took; an idle one waits for its application."
                + (isHorizon
                        ? " Rows that died since cannot be removed: they hold back the horizon by "
                                + Counted.text(behind, "transaction") + "."
                        : "");
    }

    private static Remedy remedy(List<Session> told, List<Integer> idle) {
        Remedy now = idle.isEmpty()
                ? Remedy.now(
                        "If the oldest should not take that long, cancel its statement.",
                        SqlText.cancel(List.of(told.get(0).pid())))
                : Remedy.now("Cut the idle ones off, which rolls them back.", SqlText.terminate(idle));
        return now.forGood("Let the application end its transaction before it calls anything slow; and set"
                + " idle_in_transaction_session_timeout and statement_timeout for its role.");
    }

    private static List<Object> row(Session session) {
        return List.of(
                session.pid(),
                session.client().addressOrHidden(),
                session.client().application(),
                session.client().role(),
                session.client().database(),
                Evidence.cell(session.open()),
                session.stateOrHidden(),
                Evidence.cell(session.stateFor()),
                Evidence.cell(session.behind()),
                session.query());
    }
}
