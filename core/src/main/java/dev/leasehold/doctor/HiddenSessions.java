package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What PostgreSQL does not show to this role: the states and queries of others. */
final class HiddenSessions implements Check {

    private static final List<Column> COLUMNS = List.of(Column.text("user"), Column.number("sessions"));

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        return judge(sight.sessions(), sight.server().role());
    }

    static List<Finding> judge(List<Session> sessions, String role) {
        var findings = new ArrayList<Finding>();
        List<Session> clients = sessions.stream().filter(Session::isClient).toList();
        List<Session> hidden = clients.stream().filter(Session::isHidden).toList();
        if (!hidden.isEmpty()) {
            findings.add(hidden(hidden, role));
        }
        List<Session> untracked = clients.stream()
                .filter(session -> !session.isHidden() && session.state() == SessionState.UNKNOWN)
                .toList();
        if (!untracked.isEmpty()) {
            findings.add(untracked(untracked));
        }
        return findings;
    }

    private static Finding hidden(List<Session> hidden, String role) {
        return new Finding(
                FindingKind.HIDDEN,
                Severity.INFORMATION,
                "state, query and client of " + Counted.text(hidden.size(), "session") + " are hidden from role "
                        + OneLine.text(role),
                byUser(hidden),
                "Their long or idle transactions may be missing here; their locks and waits are told, but not since when and"
                        + " with which query. pg_monitor shows all of that: state, query, transaction and client of every"
                        + " session.",
                Remedy.now(
                        "Look as the role of the application that is in trouble, or let a superuser grant pg_monitor to this"
                                + " one.",
                        "grant pg_monitor to " + SqlText.identifier(role) + ";"));
    }

    private static Finding untracked(List<Session> untracked) {
        return new Finding(
                FindingKind.HIDDEN,
                Severity.INFORMATION,
                "track_activities is off for " + Counted.text(untracked.size(), "session")
                        + ": what they do is unknown",
                byUser(untracked),
                "Long and idle transactions of these are told less well, or not at all.",
                Remedy.now(
                        "Set track_activities on, for these roles or for all.",
                        "alter system set track_activities = on;",
                        "select pg_reload_conf();"));
    }

    private static Evidence byUser(List<Session> sessions) {
        var counts = sessions.stream()
                .collect(
                        Collectors.groupingBy(session -> session.client().role(), TreeMap::new, Collectors.counting()));
        return Evidence.of(
                COLUMNS,
                counts.entrySet().stream()
                        .map(entry -> List.<Object>of(entry.getKey(), entry.getValue()))
                        .toList());
    }
}
