package dev.leasehold.rounds;

import dev.leasehold.Leases;
import java.util.function.BooleanSupplier;

/**
 * What the rounds of one instance share.
 *
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
        BooleanSupplier isStopping,
        BooleanSupplier isInterrupting) {}
