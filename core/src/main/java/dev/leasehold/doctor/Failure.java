package dev.leasehold.doctor;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All errors that came with one: a pool says only that it has no connection, and copies the state of what lies below, which says
 * why.
 *
 * @param causes from the outside to the inside
 * @param others that are next to one of them, or were suppressed
 */
record Failure(List<Throwable> causes, List<Throwable> others) {

    private static final int MOST = 50;

    /**
     * What counts of it.
     *
     * @param advice what to do
     * @param error what says so
     */
    record Reason(String advice, Throwable error) {}

    static Failure of(SQLException thrown) {
        var causes = new ArrayList<Throwable>();
        addWithCauses(thrown, causes);
        var all = new ArrayList<>(causes);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof SQLException sql) {
                addWithCauses(sql.getNextException(), all);
            }
            for (Throwable suppressed : all.get(i).getSuppressed()) {
                addWithCauses(suppressed, all);
            }
        }
        return new Failure(causes, all.subList(causes.size(), all.size()));
    }

    private static void addWithCauses(@Nullable Throwable thrown, List<Throwable> all) {
        for (Throwable one = thrown; one != null && all.size() < MOST && !all.contains(one); one = one.getCause()) {
            all.add(one);
        }
    }

    Failure {
        causes = List.copyOf(causes);
        others = List.copyOf(others);
    }

    Stream<Throwable> all() {
        return Stream.concat(causes.stream(), others.stream());
    }

    /** Of the innermost whose state is known; else of the innermost that has one at all, or of the pool. */
    Reason reason() {
        return known(causes).or(() -> known(others)).orElseGet(this::unknown);
    }

    private static Optional<Reason> known(List<Throwable> errors) {
        return sql(errors)
                .flatMap(sql -> Refusal.advice(sql.getSQLState()).map(advice -> new Reason(advice, sql)).stream())
                .reduce((outer, inner) -> inner);
    }

    private Reason unknown() {
        SQLException innermost = sql(causes).reduce((outer, inner) -> inner).orElseThrow();
        return new Reason(
                innermost instanceof SQLTransientConnectionException ? Refusal.NOTHING_TO_LEND : Refusal.UNKNOWN,
                innermost);
    }

    private static Stream<SQLException> sql(List<Throwable> errors) {
        return errors.stream().filter(SQLException.class::isInstance).map(SQLException.class::cast);
    }
}
