package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** One way to make work exclusive. Stateless: what competes is a {@link Contender}, one a process in real life. */
public interface Subject {

    /** As it is called in the tables. */
    String label();

    /** The table it keeps its locks in, if it does. */
    Optional<String> table();

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

    /**
     * Whether one contender puts what its threads ask at the same moment into one statement: then it is also measured with a
     * contender for each thread, whose attempts share nothing.
     */
    default boolean sharesStatementsAmongThreads() {
        return false;
    }

    /** Whether it takes a statement of the caller's, or a connection kept, for each hold to last. */
    default boolean renewsByItself() {
        return false;
    }

    /** Whether it is a library that keeps its locks in a table: those are to be surpassed. */
    default boolean isPeerLibrary() {
        return false;
    }
}
