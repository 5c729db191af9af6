package dev.leasehold;

import java.sql.Connection;

/**
 * Work inside a fenced transaction that answers something.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
public interface FencedCall<T, E extends Exception> {

    /**
     * Does the work.
     *
     * @param connection in an open transaction at read committed, which the work must not end
     * @throws E whatever the work throws; the transaction is rolled back
     */
    T call(Connection connection) throws E;
}
