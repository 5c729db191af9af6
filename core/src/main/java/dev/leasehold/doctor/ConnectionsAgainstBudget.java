package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Connections against the number that the applications are meant to need at most, if it was given. */
final class ConnectionsAgainstBudget implements Check {

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        Optional<Integer> budget = sight.questions().budget();
        return budget.isEmpty()
                ? List.of()
                : List.of(judge(sight.sessions(), ConnectionLimits.of(sight), budget.get()));
    }

    static Finding judge(List<Session> sessions, ConnectionLimits limits, int budget) {
        List<Session> clients = sessions.stream()
                .filter(session -> session.isClient() && !session.isOwn())
                .toList();
        boolean isOver = clients.size() > budget;
        boolean isTooLarge = budget > limits.usable();
        return new Finding(
                FindingKind.BUDGET,
                severity(isOver, isTooLarge),
                Counted.text(clients.size(), "connection") + (clients.size() == 1 ? " is" : " are")
                        + " in use of a budget of " + budget + "; the server has " + limits.usable() + " usable ones ("
                        + limits.words() + ")",
                isOver ? ClientCount.table(clients) : Evidence.none(),
                meaning(isOver, isTooLarge),
                remedy(isOver, isTooLarge));
    }

    private static Severity severity(boolean isOver, boolean isTooLarge) {
        if (isOver) {
            return Severity.PROBLEM;
        }
        return isTooLarge ? Severity.RISK : Severity.INFORMATION;
    }

    private static Remedy remedy(boolean isOver, boolean isTooLarge) {
        if (isOver) {
            return Remedy.now("Find the client that was not counted, or whose pool is larger than planned.");
        }
        return isTooLarge
                ? Remedy.now(
                        "Make the pools smaller, or have fewer instances; or raise max_connections, which takes a restart"
                                + " and memory.")
                : Remedy.none();
    }

    private static String meaning(boolean isOver, boolean isTooLarge) {
        if (isOver) {
            return "Somebody has connections that the budget does not know of: it promises nothing.";
        }
        return isTooLarge
                ? "If all that is budgeted is used at once, the server refuses some of it."
                : "What is budgeted fits, as far as nobody else connects.";
    }
}
