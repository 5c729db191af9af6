package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** One way to make work exclusive. Stateless: what competes is a {@link Contender}, one a process in real life. */
public interface Subject {

    /** As it is called in the tables. */
    String label();

    /** Creates its table, empty, if it keeps one. */
    void createTable(DataSource dataSource) throws SQLException;

    /** An instance of its own on that pool; closing it does not close the pool. */
    Contender contender(DataSource pool, Duration ttl);

    /**
     * Whether one contender refuses its own threads from memory when they ask for the same name: to measure what asks the
     * database, each thread then gets a contender of its own.
     */
    default boolean refusesOwnThreadsFromMemory() {
        return false;
    }

    /** Whether the hold runs out by itself unless renewed. */
    default boolean expires() {
        return true;
    }

    /** Whether it is a library that keeps its locks in a table: those are the ones to be above of. */
    default boolean isPeerLibrary() {
        return false;
    }
}
