package dev.leasehold.rounds;

import dev.leasehold.Leases;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Rounds that are driven by hand, for tests of what uses them: nothing runs by itself, and nobody waits for a slot. Leases,
 * promises, time-outs, listeners and history are the real ones, in a real PostgreSQL. Thread-safe.
 */
public final class ManualRounds implements AutoCloseable {

    private final List<RoundLoop> loops;
    private final Leases leases;
    private final RoundTimer timer;
    private final AtomicBoolean closed;

    ManualRounds(List<RoundLoop> loops, Leases leases, RoundTimer timer, AtomicBoolean closed) {
        this.closed = closed;
        this.loops = loops;
        this.leases = leases;
        this.timer = timer;
    }

    /**
     * Does on this thread what an instance does when it wakes up: looks whether the round is due, and runs it if it is.
     *
     * @return the run; empty if it was not due, held by another, paused, or the database could not be asked, which is logged
     * @throws IllegalArgumentException if there is no round of that name here
     */
    public Optional<RoundRun> pass(String round) {
        return RoundLoop.named(loops, round).pass(Duration.ZERO).run();
    }

    /**
     * As {@link #pass}, after the round's slot was made due again if it was counted: a run for the slot of now, each time. Also
     * the first time of a round on a schedule of instants, whose first {@link #pass} finds nothing due.
     *
     * @throws dev.leasehold.LeaseException if the database could not be asked
     */
    public Optional<RoundRun> passDue(String round) {
        RoundLoop loop = RoundLoop.named(loops, round);
        if (closed.get()) {
            return Optional.empty();
        }
        if (leases.makeDue(loop.leaseName()).isEmpty()) {
            // It has no row yet: its first look makes one.
            Optional<RoundRun> first = loop.pass(Duration.ZERO).run();
            if (first.isPresent()) {
                return first;
            }
            List<String> unused = leases.makeDue(loop.leaseName());
        }
        return loop.pass(Duration.ZERO).run();
    }

    /** As {@link Rounds#runNow}, on this thread. */
    public Optional<RoundRun> runNow(String round) {
        return RoundLoop.named(loops, round).runNow();
    }

    /** As {@link Rounds#status}. */
    public List<RoundStatus> status() {
        return loops.stream().map(RoundLoop::status).toList();
    }

    /** Ends its one thread, and begins nothing any more; the leases are closed by whoever made them. */
    @Override
    public void close() {
        closed.set(true);
        timer.end();
    }
}
