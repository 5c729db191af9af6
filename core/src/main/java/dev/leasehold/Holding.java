package dev.leasehold;

import java.util.Optional;

/**
 * A lease that is kept continuously, by one instance of the application at a time: what others call leader election. Every
 * instance holds on to the same name; one of them gets the lease and renews it, and the others look again every now and
 * then. When it dies, or loses the lease, or resigns, another gets it.
 *
 * <p>The work that belongs to it is the user's, on threads of the user's own: begun on {@code gained}, stopped on
 * {@code unconfirmed}, {@code lost} and {@code released}, and begun again on {@code reconfirmed}.
 *
 * <pre>{@code
 * Holding feed = leases.holdOn("feed").listener(new LeaseListener() {
 *     public void gained(Lease lease) { reader.start(lease.fence()); }
 *     public void unconfirmed(Lease lease) { reader.stop(); }
 *     public void reconfirmed(Lease lease) { reader.start(lease.fence()); }
 *     public void lost(Lease lease, LossReason reason) { reader.stop(); }
 *     public void released(Lease lease) { reader.stop(); }
 * }).start();
 * ...
 * reader.stop();
 * feed.close();
 * }</pre>
 *
 * <p>The listener is told soon after an event, on a thread of the holding: it starts and stops the work, and returns. What
 * must not be late asks {@link #isHeld()} or {@link Lease#isHeld()} itself, before each step. {@code released} is told when
 * the lease is free already, so work that must not overlap with the next holder's is stopped <em>before</em> it resigns or
 * closes. In order, for each lease: gained; unconfirmed and reconfirmed, any number of times; lost or released.
 *
 * <p>No two instances trust the lease at the same time, within the limits that the package page names. It holds no
 * connection, and goes on looking whatever fails, until it is closed. Thread-safe.
 */
public final class Holding implements AutoCloseable {

    private final HoldingLoop loop;

    Holding(HoldingLoop loop) {
        this.loop = loop;
    }

    /** The name that is held on to. */
    public String name() {
        return loop.name();
    }

    /** Whether this instance holds the lease: as {@link Lease#isHeld()}, a comparison, no I/O. */
    public boolean isHeld() {
        return lease().map(Lease::isHeld).orElse(false);
    }

    /** The lease while this instance has it, held or unconfirmed. */
    public Optional<Lease> lease() {
        return loop.lease().filter(lease -> !lease.standing().ended());
    }

    /**
     * Gives the lease up now, if this instance has it: releases it, which takes up to three bounds of {@link Leases}. Whether
     * or not it had it, this instance looks again only after more than one {@code lookEvery}, so that the others get
     * their chance. Stop the work first.
     */
    public void resign() {
        loop.resign();
    }

    /**
     * Ends it: releases the lease, if this instance has it, and tells the listeners what has happened until then. Stop the work
     * first. Returns at once when there is nothing to release; otherwise, and with the database away, within three bounds of
     * {@link Leases} and a second. Works on an interrupted thread, whose flag is kept.
     */
    @Override
    public void close() {
        loop.end();
        loop.awaitEnd();
    }

    @Override
    public String toString() {
        return "Holding[" + name() + ", " + lease().map(Lease::toString).orElse("not held") + "]";
    }
}
