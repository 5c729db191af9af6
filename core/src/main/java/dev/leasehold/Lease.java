package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * One acquisition of a name: held by this holder alone, renewed in the background until it is released or lost.
 *
 * <p>What it says comes from this machine's clocks and needs no connection: {@link #isHeld()} turns false by itself if the
 * database is out of reach, the pool empty or the renewal stuck, and no later than anybody else can acquire the name.
 * Thread-safe.
 */
public final class Lease implements AutoCloseable {

    /** How a lease is given back. */
    @FunctionalInterface
    interface Releasing {
        ReleaseOutcome release(Lease lease, Optional<Instant> doneSlot);
    }

    private final LeaseKey key;
    private final Optional<Slot> slot;
    private final int deaths;
    private final Ticker ticker;
    private final Releasing releasing;
    private final AtomicReference<Standing> standing;
    private volatile ReleaseOutcome outcome = ReleaseOutcome.PENDING;
    private volatile Runnable whenTrustEnds = () -> {};
    private volatile Optional<Listeners> alsoTold = Optional.empty();

    Lease(LeaseKey key, Optional<Slot> slot, int deaths, Deadline deadline, Ticker ticker, Releasing releasing) {
        this.key = key;
        this.slot = slot;
        this.deaths = deaths;
        this.ticker = ticker;
        this.releasing = releasing;
        this.standing = new AtomicReference<>(Standing.acquired(deadline));
    }

    /** The name that is held. */
    public String name() {
        return key.name();
    }

    /** Who holds it: host name, process id and 64 random bits, new for each acquisition. */
    public String holder() {
        return key.holder();
    }

    /** A number that grows with every acquisition of the name, for resources that refuse a smaller one. */
    public long fence() {
        return key.fence();
    }

    /** The slot this lease was acquired for; empty for a plain lease. */
    public Optional<Slot> slot() {
        return slot;
    }

    /** How many holders in a row died without a release before this acquisition. */
    public int deaths() {
        return deaths;
    }

    /** What the holder knows at this moment. No I/O. */
    public LeaseState state() {
        return standing().state(ticker.read());
    }

    /** Whether nobody else can have acquired the name: the own deadline has not passed. A comparison, no I/O. */
    public boolean isHeld() {
        return state() == LeaseState.HELD;
    }

    /** The time until the own deadline, by this machine's clocks; zero or negative once it has passed. */
    public Duration timeLeft() {
        return standing().deadline().timeLeft(ticker.read());
    }

    /**
     * Does nothing while the lease is held.
     *
     * @throws LeaseLostException if the lease is not known to be held: unconfirmed, lost or released
     */
    public void checkHeld() {
        LeaseState state = state();
        if (state != LeaseState.HELD) {
            throw new LeaseLostException(
                    "lease " + name() + " (holder " + holder() + ", fence " + fence() + ") is " + state);
        }
    }

    /**
     * Releases the lease without counting its slot: a round acquired this way stays due. Never waits for a row lock. A
     * second call changes nothing and answers what is known of the first by then.
     */
    public ReleaseOutcome release() {
        return releasing.release(this, Optional.empty());
    }

    /**
     * Releases the lease and counts its slot as run.
     *
     * @throws IllegalStateException for a plain lease
     */
    public ReleaseOutcome releaseDone() {
        Slot acquired = slot.orElseThrow(() ->
                new IllegalStateException("lease " + name() + " was not acquired for a slot, so none can be counted"));
        return releasing.release(this, Optional.of(acquired.at()));
    }

    /** As {@link #release()}. */
    @Override
    public void close() {
        release();
    }

    /** What became of the release; pending until that is known. */
    ReleaseOutcome outcome() {
        return outcome;
    }

    void outcome(ReleaseOutcome known) {
        outcome = known;
    }

    /** What to do when it is noticed that the lease is unconfirmed or lost; at once, if it is already. One at a time. */
    void whenTrustEnds(Runnable action) {
        whenTrustEnds = action;
        LeaseState state = state();
        if (state == LeaseState.UNCONFIRMED || state == LeaseState.LOST) {
            action.run();
        }
    }

    void trustHasEnded() {
        whenTrustEnds.run();
    }

    /** Listeners of this lease alone, told beside those of all. */
    Optional<Listeners> alsoTold() {
        return alsoTold;
    }

    void tellAlso(Listeners listeners) {
        alsoTold = Optional.of(listeners);
    }

    LeaseKey key() {
        return key;
    }

    Standing standing() {
        return Objects.requireNonNull(standing.get());
    }

    /** Moves the state; true if this call ended the lease. */
    boolean move(UnaryOperator<Standing> move) {
        Standing before = Objects.requireNonNull(standing.getAndUpdate(move));
        return !before.ended() && move.apply(before).ended();
    }

    @Override
    public String toString() {
        return "Lease[" + name() + ", holder " + holder() + ", fence " + fence() + ", " + state() + "]";
    }
}
