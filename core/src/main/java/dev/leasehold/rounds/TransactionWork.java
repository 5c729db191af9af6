package dev.leasehold.rounds;

import java.sql.Connection;

/** What a round does in one transaction of the leases' database. Rolled back if it throws. */
@FunctionalInterface
public interface TransactionWork {

    /**
     * Runs for one slot, on a thread of the rounds.
     *
     * @param connection in a transaction, which must not be ended here
     */
    void run(RoundContext context, Connection connection) throws Exception;
}
