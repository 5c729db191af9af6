package dev.leasehold.cli;

import dev.leasehold.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is to be run under which lease.
 *
 * @param name of the lease
 * @param table of leases
 * @param patience how long to wait for the lease if another holds it
 * @param schedule whose slots are to be run once each; empty for a lease without slots
 * @param retriesFailed whether a slot stays due if the command fails
 * @param endsOnLoss whether the command is ended when the lease is not known to be held any more
 * @param killAfter how long the command may take to end when it is told to
 */
record ExecTerms(
        String name,
        String table,
        Duration ttl,
        Duration patience,
        Optional<Schedule> schedule,
        boolean retriesFailed,
        boolean endsOnLoss,
        Duration killAfter,
        List<String> command) {}
