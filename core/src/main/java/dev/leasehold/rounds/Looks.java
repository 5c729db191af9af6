package dev.leasehold.rounds;

import dev.leasehold.Acquisition;
import dev.leasehold.Leases;
import dev.leasehold.SlotRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The looks of one round that wait for their answer now. A stop can interrupt them, and nothing after them. Thread-safe. */
final class Looks {

    private final Leases leases;
    private final Set<Interruption> underWay = ConcurrentHashMap.newKeySet();

    Looks(Leases leases) {
        this.leases = leases;
    }

    /** @throws dev.leasehold.LeaseException if it was interrupted, or failed otherwise */
    Acquisition look(SlotRequest what) {
        var look = new Interruption();
        underWay.add(look);
        try {
            return leases.tryAcquireSlot(what);
        } finally {
            underWay.remove(look);
            Optional<Interruption.Reason> unused = look.end();
        }
    }

    void interrupt() {
        underWay.forEach(look -> look.interrupt(Interruption.Reason.STOP));
    }
}
