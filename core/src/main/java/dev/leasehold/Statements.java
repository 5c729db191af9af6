package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Sends statements, each on a borrowed connection in a short transaction of its own. Thread-safe. */
final class Statements {

    private static final Duration LONGEST_BRIEF_WAIT = Duration.ofMillis(200);

    private final DataSource dataSource;
    private final OwnTransaction transaction = new OwnTransaction();

    /** A statement and the values of its parameters. */
    record Filled(NamedSql sql, Map<String, ?> values) {}

    Statements(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Sends a statement in its turn and waits for its answer, no longer than the bound. */
    <T> T run(Lane lane, Duration bound, Filled filled, OwnTransaction.Reader<T> reader) throws SQLException {
        return lane.await(attempt(bound, () -> filled, reader), bound);
    }

    /** As {@link #run}, of a statement that only reads. */
    <T> T read(Lane lane, Duration bound, Filled filled, OwnTransaction.Reader<T> reader) throws SQLException {
        var attempt = new Attempt<T>(
                dataSource,
                bound.multipliedBy(2),
                (connection, self) ->
                        OwnTransaction.read(connection, filled.sql(), filled.values(), reader, self::mayBeSent));
        return lane.await(attempt, bound);
    }

    /**
     * An attempt to send a statement. The socket's bound is the longer one, so that a cancel can end the statement without
     * loss of the connection.
     *
     * @param filled asked once a connection is there
     */
    <T> Attempt<T> attempt(Duration bound, Supplier<Filled> filled, OwnTransaction.Reader<T> reader) {
        return new Attempt<>(dataSource, bound.multipliedBy(2), (connection, self) -> {
            Filled now = filled.get();
            return transaction.run(connection, now.sql(), now.values(), reader, self::mayBeSent);
        });
    }

    /**
     * How long a statement in the shared lane waits for another's row: theirs takes a moment, unless it is held up, and then all
     * who ask for other names would wait too.
     */
    static String briefLockTimeout(Duration bound) {
        Duration half = bound.dividedBy(2);
        return millis(half.compareTo(LONGEST_BRIEF_WAIT) < 0 ? half : LONGEST_BRIEF_WAIT);
    }

    static String millis(Duration wait) {
        return Math.max(1, wait.toMillis()) + "ms";
    }
}
