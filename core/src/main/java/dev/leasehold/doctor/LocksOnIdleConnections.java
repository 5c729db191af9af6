package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.list;
import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Advisory locks of sessions that do nothing. An idle session holds them for the session; one that is idle in a transaction may
 * hold them for the transaction only.
 */
final class LocksOnIdleConnections implements Check {

    /** A transaction is idle for a moment between any two of its statements. */
    static final Duration BETWEEN_STATEMENTS = Duration.ofSeconds(1);

    private static final List<Column> COLUMNS =
            List.of(number("pid"), text("client"), text("application"), text("user"), text("database"), list("locks"));

    /**
     * What is known besides.
     *
     * @param hasNames whether names were given
     * @param usable how many connections the server has for ordinary roles
     */
    record Circumstances(KeyNames names, boolean hasNames, Instant now, int usable, String role) {}

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        List<Session> sessions = sight.sessions();
        List<AdvisoryLock> locks = sight.advisoryLocks();
        if (locks.isEmpty()) {
            return List.of();
        }
        return judge(
                sessions,
                locks,
                new Circumstances(
                        sight.keyNames(),
                        !sight.questions().names().isEmpty(),
                        sight.now(),
                        ConnectionLimits.of(sight).usable(),
                        sight.server().role()));
    }

    static List<Finding> judge(List<Session> sessions, List<AdvisoryLock> locks, Circumstances circumstances) {
        Map<Integer, List<AdvisoryLock>> locksOf = locks.stream().collect(Collectors.groupingBy(AdvisoryLock::pid));
        var fill = new Fill((int) sessions.stream().filter(Session::isClient).count(), circumstances.usable());
        var clients = new LinkedHashMap<Client, ClientLocks>();
        List<Session> unknown = new ArrayList<>();
        for (Session session : sessions) {
            if (!session.isClient() || session.isOwn()) {
                continue;
            }
            ClientLocks client =
                    clients.computeIfAbsent(session.client(), one -> new ClientLocks(one, circumstances, fill));
            List<AdvisoryLock> held = locksOf.getOrDefault(session.pid(), List.of());
            client.add(session, held);
            if (isUnknown(session, held)) {
                unknown.add(session);
            }
        }
        var findings = new ArrayList<Finding>();
        clients.values().forEach(client -> client.finding().ifPresent(findings::add));
        if (!unknown.isEmpty()) {
            findings.add(unknown(unknown, locksOf, circumstances));
        }
        return findings;
    }

    /** The clients that are known to be idle with locks. */
    static List<Session> idle(Sight sight) throws SQLException {
        Map<Integer, List<AdvisoryLock>> locksOf =
                sight.advisoryLocks().stream().collect(Collectors.groupingBy(AdvisoryLock::pid));
        return sight.sessions().stream()
                .filter(session -> session.isClient() && locksOf.containsKey(session.pid()))
                .filter(session -> isIdle(session, locksOf.getOrDefault(session.pid(), List.of())))
                .toList();
    }

    /** Whether its locks are known to hinder others while it does nothing. */
    static boolean isIdle(Session session, List<AdvisoryLock> held) {
        boolean isInTransaction = held.stream().anyMatch(AdvisoryLock::isInTransaction);
        return switch (session.state()) {
            case ACTIVE -> false;
            // the locks were read a moment later: one that is in a transaction by then has gone to work
            case IDLE, UNKNOWN -> !isInTransaction;
            case IDLE_IN_TRANSACTION ->
                session.stateFor()
                        .filter(time -> time.compareTo(BETWEEN_STATEMENTS) >= 0)
                        .isPresent();
        };
    }

    private static boolean isUnknown(Session session, List<AdvisoryLock> held) {
        return session.state() == SessionState.UNKNOWN && !held.isEmpty() && !isIdle(session, held);
    }

    private static Finding unknown(
            List<Session> sessions, Map<Integer, List<AdvisoryLock>> locksOf, Circumstances circumstances) {
        List<List<Object>> rows = sessions.stream()
                .map(session -> List.<Object>of(
                        session.pid(),
                        session.client().addressOrHidden(),
                        session.client().application(),
                        session.client().role(),
                        session.client().database(),
                        circumstances.names().words(locksOf.getOrDefault(session.pid(), List.of()))))
                .toList();
        return new Finding(
                FindingKind.LOCKS_ON_IDLE_CONNECTIONS,
                Severity.INFORMATION,
                Counted.text(sessions.size(), "session") + " in a transaction "
                        + (sessions.size() == 1 ? "holds" : "hold")
                        + " advisory locks; whether they are idle is hidden from role "
                        + OneLine.text(circumstances.role()),
                Evidence.of(COLUMNS, rows),
                "A transaction that works holds its locks for good reason; an idle one keeps them, and its connection, from"
                        + " everybody else.",
                Remedy.now("Look again as the role of the application, or as one with pg_monitor."));
    }
}
