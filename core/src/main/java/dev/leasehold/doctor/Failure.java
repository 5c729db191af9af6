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

    /** Of the first whose state is known and that is no pool's; else of the innermost, which may be the pool's own. */
    Reason reason() {
        return known(causes).or(() -> known(others)).orElseGet(this::unknown);
    }

    private static Optional<Reason> known(List<Throwable> errors) {
        return sql(errors)
                .filter(sql -> !isOfPool(sql))
                .flatMap(sql -> Refusal.advice(sql.getSQLState()).map(advice -> new Reason(advice, sql)).stream())
                .findFirst();
    }

    private Reason unknown() {
        SQLException innermost = sql(causes).reduce((outer, inner) -> inner).orElseThrow();
        return new Reason(
                Refusal.advice(innermost.getSQLState())
                        .orElse(isOfPool(innermost) ? Refusal.NOTHING_TO_LEND : Refusal.UNKNOWN),
                innermost);
    }

    /** Which says no more than that the time was up. */
    private static boolean isOfPool(SQLException sql) {
        return sql instanceof SQLTransientConnectionException;
    }

    private static Stream<SQLException> sql(List<Throwable> errors) {
        return errors.stream().filter(SQLException.class::isInstance).map(SQLException.class::cast);
    }
}
