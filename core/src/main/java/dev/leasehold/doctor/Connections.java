package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Connections by client against what the server has, and what roles and databases have for themselves. */
final class Connections implements Check {

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        return judge(sight.sessions(), ConnectionLimits.of(sight), OwnLimit.all(sight));
    }

    static List<Finding> judge(List<Session> sessions, ConnectionLimits limits, List<OwnLimit> ownLimits) {
        List<Session> clients = sessions.stream().filter(Session::isClient).toList();
        var findings = new ArrayList<Finding>();
        findings.add(ofTheServer(clients, limits));
        for (OwnLimit own : ownLimits) {
            List<Session> counted = clients.stream()
                    .filter(session -> own.counts(session.client()))
                    .toList();
            if (new Fill(counted.size(), own.most()).severity() != Severity.INFORMATION) {
                findings.add(of(own, counted));
            }
        }
        return findings;
    }

    private static Finding ofTheServer(List<Session> clients, ConnectionLimits limits) {
        var fill = new Fill(clients.size(), limits.usable());
        String left = fill.isFull() ? "no connection is left for ordinary roles: " : "";
        return new Finding(
                FindingKind.CONNECTIONS,
                fill.severity(),
                left + clients.size() + " of " + limits.usable()
                        + " usable connections are in use, this look's among them"
                        + (fill.severity() == Severity.INFORMATION ? ": max_connections is not the limit here" : "")
                        + " (" + limits.words() + ")",
                ClientCount.table(clients),
                meaning(fill),
                fill.severity() == Severity.INFORMATION ? Remedy.none() : remedy());
    }

    private static Remedy remedy() {
        return Remedy.now(
                        "Cut off idle connections of applications that are gone: pg_terminate_backend with their pid, which"
                                + " this lists.",
                        "select pid, usename, application_name, client_addr, state_change from pg_stat_activity where state ="
                                + " 'idle' order by state_change;")
                .forGood(
                        "Pools with fewer connections each: all instances times the largest pool, twice during a deploy,"
                                + " must fit.");
    }

    private static String meaning(Fill fill) {
        if (fill.isFull()) {
            return "New connections of ordinary roles are refused, and pools that renew theirs run empty. What is reserved is"
                    + " there for those who look and repair.";
        }
        return fill.severity() == Severity.INFORMATION
                ? ""
                : "A deploy, during which old and new instances run at once, may find none left.";
    }

    private static Finding of(OwnLimit own, List<Session> counted) {
        var fill = new Fill(counted.size(), own.most());
        return new Finding(
                FindingKind.CONNECTIONS,
                fill.severity(),
                own.words() + " has " + counted.size() + " of its " + Counted.text(own.most(), "connection"),
                ClientCount.table(counted),
                (fill.isFull() ? "Its next connection is refused" : "It may soon be refused more")
                        + ", however many the server has left.",
                Remedy.now(
                        "Give its pools fewer connections, or raise the limit, to twice of it for example.",
                        own.alter()));
    }
}
