package dev.leasehold.rounds;

import dev.leasehold.Leases;
import java.util.function.BooleanSupplier;

/**
 * What the rounds of one instance share.
 *
 * @param hasFewWorkers whether rounds may have to wait for a worker
 * @param isStopping whether no run may begin any more
 * @param isInterrupting whether what still runs is interrupted
 */
record RoundWiring(
        Leases leases,
        String node,
        RoundTimer timer,
        LookLog lookLog,
        RunLog history,
        RoundListeners listeners,
        boolean hasFewWorkers,
        BooleanSupplier isStopping,
        BooleanSupplier isInterrupting) {}
