package dev.leasehold;

import java.sql.Connection;

/** Work inside a fenced transaction. */
@FunctionalInterface
public interface FencedWork<E extends Exception> {

    /**
     * Does the work.
     *
     * @param connection in an open transaction at read committed, which the work must not end
     * @throws E whatever the work throws; the transaction is rolled back
     */
    void run(Connection connection) throws E;
}
