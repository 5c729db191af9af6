package dev.leasehold.rounds;

import java.sql.Connection;

/**
 * What a round does in one transaction of the leases' database. Rolled back if it throws.
 *
 * <p>The server ends the transaction when it is idle for longer than the leases' ttl: work that waits for something else must not
 * wait longer than that between two statements, or wait before it comes here.
 */
@FunctionalInterface
public interface TransactionWork {

    /**
     * Runs for one slot, on a thread of the rounds.
     *
     * @param connection in a transaction, which must not be ended here
     */
    void run(RoundContext context, Connection connection) throws Exception;
}
