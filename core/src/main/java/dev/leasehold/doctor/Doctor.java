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
 * transaction, changes nothing and waits for no lock. Immutable and thread-safe: each {@code with} method makes a new doctor.
 */
public final class Doctor {

    private final DataSource dataSource;
    private final Questions questions;

    private Doctor(DataSource dataSource, Questions questions) {
        this.dataSource = dataSource;
        this.questions = questions;
    }

    /**
     * A doctor for the server of that source, with the table {@code leases} if there is one. Through a pool that is empty it cannot
     * look: then give it a source of its own.
     */
    public static Doctor on(DataSource dataSource) {
        return new Doctor(dataSource, Questions.DEFAULTS);
    }

    /** With another name of the lease table, {@code table} or {@code schema.table}. */
    public Doctor withTable(String table) {
        return new Doctor(dataSource, questions.withTable(table));
    }

    /** With more names that advisory locks may be taken on: a lock of a hash of one of them is told by its name. */
    public Doctor withNames(List<String> names) {
        return new Doctor(dataSource, questions.withNames(names));
    }

    /** With the number of connections that the applications are meant to need at most. */
    public Doctor withBudget(int connections) {
        return new Doctor(dataSource, questions.withBudget(connections));
    }

    /** With another age from which an open transaction is told; 5 minutes by default. An idle one is told from a tenth of it. */
    public Doctor withLongTransaction(Duration age) {
        return new Doctor(dataSource, questions.withLongTransaction(age));
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
        try (Connection connection = dataSource.getConnection()) {
            return Look.through(connection, new Look.From(dataSource, questions), InstantSource.system(), question);
        } catch (SQLException e) {
            throw CouldNotLookException.because(e);
        }
    }
}
