package dev.leasehold.doctor;

import dev.leasehold.internal.TableName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the doctor is to look for, besides what it always looks for.
 *
 * @param table of leases
 * @param isTableGiven whether somebody has named it, and expects it to be there
 * @param names that advisory locks may be taken on
 * @param budget how many connections the applications are meant to need at most
 * @param areNamesEscaped whether names that others chose are read as {@link DoctorSql#withNames} says
 * @param longTransaction the age from which an open transaction is told
 */
record Questions(
        TableName table,
        boolean isTableGiven,
        List<String> names,
        Optional<Integer> budget,
        Duration longTransaction,
        boolean areNamesEscaped) {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final int IDLE_PART = 10;

    static final Questions DEFAULTS =
            new Questions(TableName.of("leases"), false, List.of(), Optional.empty(), Duration.ofMinutes(5), false);

    Questions {
        names = List.copyOf(names);
        budget.ifPresent(connections -> {
            if (connections < 1) {
                throw new IllegalArgumentException("budget is " + connections + ", but must be 1 or more connections");
            }
        });
        if (longTransaction.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "longTransaction is " + longTransaction + ", but must be " + SHORTEST + " or more");
        }
    }

    /** The age from which an idle transaction is told. */
    Duration idleTransaction() {
        return longTransaction.dividedBy(IDLE_PART);
    }

    Questions withTable(String name) {
        return new Questions(TableName.of(name), true, names, budget, longTransaction, areNamesEscaped);
    }

    Questions withNames(List<String> more) {
        return new Questions(table, isTableGiven, more, budget, longTransaction, areNamesEscaped);
    }

    Questions withBudget(int connections) {
        return new Questions(table, isTableGiven, names, Optional.of(connections), longTransaction, areNamesEscaped);
    }

    Questions withLongTransaction(Duration age) {
        return new Questions(table, isTableGiven, names, budget, age, areNamesEscaped);
    }

    Questions withNamesEscaped() {
        return new Questions(table, isTableGiven, names, budget, longTransaction, true);
    }
}
