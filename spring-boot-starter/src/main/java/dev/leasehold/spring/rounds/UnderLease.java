package dev.leasehold.spring.rounds;

import dev.leasehold.rounds.Round;
import dev.leasehold.spring.CurrentLease;

/** Rounds whose work knows its lease, as exclusive methods do, so that its transactions are fenced. */
final class UnderLease {

    private UnderLease() {}

    /** The same round, whose lease is the current one while it works. */
    static Round of(Round round) {
        return round.withWork(context -> CurrentLease.during(context.lease(), () -> {
            round.work().run(context);
            return context;
        }));
    }
}
