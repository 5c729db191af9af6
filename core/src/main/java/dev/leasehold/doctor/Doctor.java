package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;

/**
 * Looks once at a PostgreSQL server, and says why a pool of connections is empty: who holds which locks, who waits for whom,
 * what runs for too long, which settings bite. It serves any application on PostgreSQL, with or without leases.
 *
 * <p>A look borrows one connection (a second one for a moment, where a pooler seems to be between), reads in one read-only
 * transaction, changes nothing and waits for no lock longer than a tenth of a second. It waits 15 s at most for an answer of
 * the server, by the network timeout of the connection, which it puts back; how long it waits for the connection itself is up
 * to the source. Immutable and thread-safe: each {@code with} method makes a new doctor.
 */
public final class Doctor {

    private static final Duration BOUND = Duration.ofSeconds(15);

    private final DataSource dataSource;
    private final Questions questions;
    private final Duration bound;

    private Doctor(DataSource dataSource, Questions questions, Duration bound) {
        this.dataSource = dataSource;
        this.questions = questions;
        this.bound = bound;
    }

    /**
     * A doctor for the server of that source, with the table {@code leases} if there is one. Through a pool that is empty it cannot
     * look: then give it a source of its own.
     */
    public static Doctor on(DataSource dataSource) {
        return new Doctor(dataSource, Questions.DEFAULTS, BOUND);
    }

    /** With a name of the lease table, {@code table} or {@code schema.table}, which is told if it is not there. */
    public Doctor withTable(String table) {
        return with(questions.withTable(table));
    }

    /**
     * With these names that advisory locks may be taken on, instead of those of an earlier call: a lock of a hash of one of them
     * is told by its name. Those in the lease table are tried anyway.
     */
    public Doctor withNames(List<String> names) {
        return with(questions.withNames(names));
    }

    /** With the number of connections that the applications are meant to need at most. */
    public Doctor withBudget(int connections) {
        return with(questions.withBudget(connections));
    }

    /** With another age from which an open transaction is told; 5 minutes by default. An idle one is told from a tenth of it. */
    public Doctor withLongTransaction(Duration age) {
        return with(questions.withLongTransaction(age));
    }

    private Doctor with(Questions others) {
        return new Doctor(dataSource, others, bound);
    }

    /** With another bound of the wait for each answer. */
    Doctor withBound(Duration other) {
        return new Doctor(dataSource, questions, other);
    }

    /**
     * Looks.
     *
     * @throws CouldNotLookException if the database could not be asked; its message is one line, and tells what to do
     */
    public Diagnosis look() {
        return ask(Look::diagnosis);
    }

    /**
     * Reads how many connections the server has for the role that asks.
     *
     * @throws CouldNotLookException as {@link #look()}
     */
    public Capacity capacity() {
        return ask(Capacity::ofOwnRole);
    }

    /**
     * Reads how many connections the server has for a role, in the database that is asked.
     *
     * @throws IllegalArgumentException if the server has no such role
     * @throws CouldNotLookException as {@link #look()}
     */
    public Capacity capacityFor(String role) {
        return ask(sight -> Capacity.of(sight, role));
    }

    private <T> T ask(Look.Question<T> question) {
        try (Connection connection = connection()) {
            return Look.through(
                    connection, new Look.From(dataSource, questions, bound), InstantSource.system(), question);
        } catch (SQLException e) {
            throw CouldNotLookException.because(e);
        }
    }

    /** A pool that opens its first connections at the first ask throws what is no SQLException if it cannot. */
    private Connection connection() throws SQLException {
        try {
            return dataSource.getConnection();
        } catch (RuntimeException e) {
            throw new SQLException(String.valueOf(e.getMessage()), e);
        }
    }
}
