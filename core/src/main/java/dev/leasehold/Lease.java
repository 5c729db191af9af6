package dev.leasehold;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * One acquisition of a name: held by this holder alone, renewed in the background until it is released or lost.
 *
 * <p>What it says comes from this machine's clocks and needs no connection: {@link #isHeld()} turns false by itself if the
 * database is out of reach, the pool empty or the renewal stuck, and no later than anybody else can acquire the name.
 * Thread-safe.
 */
public final class Lease implements AutoCloseable {

    /** What a lease asks of the {@link Leases} it comes from. */
    interface Origin {
        ReleaseOutcome release(Lease lease, Ending ending);

        boolean extend(Lease lease, Duration limit);

        Fencing fencing();
    }

    /** The longest rest after a release, 366 days. */
    public static final Duration LONGEST_REST = Duration.ofDays(366);

    private final Gained gained;
    private final Ticker ticker;
    private final Origin origin;
    private final RowTurns turns = new RowTurns();
    private final AtomicReference<Standing> standing;
    private volatile ReleaseOutcome outcome = ReleaseOutcome.PENDING;
    private volatile Optional<Ending> ending = Optional.empty();
    private final Set<Runnable> whenTrustEnds = new CopyOnWriteArraySet<>();
    private volatile Optional<Listeners> alsoTold = Optional.empty();

    Lease(Gained gained, Ticker ticker, Origin origin) {
        this.gained = gained;
        this.ticker = ticker;
        this.origin = origin;
        this.standing = new AtomicReference<>(Standing.acquired(gained.deadline()));
    }

    /** The name that is held. */
    public String name() {
        return key().name();
    }

    /** Who holds it: host name, process id and 64 random bits, new for each acquisition. */
    public String holder() {
        return key().holder();
    }

    /** A number that grows with every acquisition of the name, for resources that refuse a smaller one. */
    public long fence() {
        return key().fence();
    }

    /** The slot this lease was acquired for; empty for a plain lease. */
    public Optional<Slot> slot() {
        return gained.slot();
    }

    /** How many holders in a row died without a release before this acquisition; who abandoned it in between does not end the row. */
    public int deaths() {
        return gained.deaths();
    }

    /** What the holder knows at this moment. No I/O. */
    public LeaseState state() {
        Standing known = standing();
        return turns.isFinished() && !known.ended() ? LeaseState.RELEASED : known.state(ticker.read());
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
                    this, "lease " + name() + " (holder " + holder() + ", fence " + fence() + ") is " + state);
        }
    }

    /**
     * Gives a lease with a limit another one, longer or shorter, that counts from now: see {@link
     * LeaseRequest#limit(Duration)}. While another transaction has the row locked it is tried again, for half a statement's bound.
     * Extensions of one lease take turns; one that gets none within two bounds is not made.
     *
     * @param newLimit as of {@link LeaseRequest#limit(Duration)}
     * @return whether that is its limit now; false if the lease is lost or released, or its limit has passed by the database's
     *     clock, even if nobody has taken it over
     * @throws LeaseException if another transaction has the row locked for too long, no connection was there, or it got no turn:
     *     the lease need not be lost, and has its old limit. Or if the outcome is unknown: then it is trusted until the earlier of
     *     the two limits
     * @throws IllegalArgumentException for another limit
     * @throws IllegalStateException if the lease has no limit
     */
    public boolean extend(Duration newLimit) {
        return origin.extend(this, newLimit);
    }

    /**
     * Releases the lease without counting its slot: a slot that counts at its end stays due. Never waits for a row lock; waits for
     * the disk, as all releases of leases with a slot do, if it has one. A second call, of this or any other release, changes nothing and answers what is known of the first by then.
     */
    public ReleaseOutcome release() {
        return origin.release(this, slot().isPresent() ? new Ending.Uncounted(true) : new Ending.Plain());
    }

    /**
     * Releases the lease as if it had never been acquired, for work that was not begun: its slot stays due, also one that was
     * stamped when it was acquired, and the {@link #deaths} before it are not over. As {@link #release()} in all else.
     */
    public ReleaseOutcome abandon() {
        return origin.release(
                this,
                slot().<Ending>map(acquired -> acquired.stamp() == Stamp.AT_ACQUIRE
                                ? new Ending.Stamped(acquired.previous(), false)
                                : new Ending.Uncounted(false))
                        .orElse(new Ending.Plain()));
    }

    /**
     * Releases the lease and counts its slot as run, if it counts at its end; the others are counted already, or never.
     *
     * @throws IllegalStateException for a plain lease
     */
    public ReleaseOutcome releaseDone() {
        if (slot().isEmpty()) {
            throw new IllegalStateException("lease " + name() + " was not acquired for a slot, so none can be counted");
        }
        return origin.release(
                this,
                slotToCount()
                        .<Ending>map(at -> new Ending.Stamped(Optional.of(at), true))
                        .orElse(new Ending.Uncounted(true)));
    }

    /**
     * Releases the lease without counting its slot, and nobody may acquire the name for that long: for what is to be tried
     * again, and not at once. Nobody holds it meanwhile. As {@link #release()} in all else.
     *
     * @param rest by the database's clock, more than zero, at most {@link #LONGEST_REST}
     * @throws IllegalArgumentException for another rest
     */
    public ReleaseOutcome releaseToRest(Duration rest) {
        if (rest.compareTo(Duration.ZERO) <= 0 || rest.compareTo(LONGEST_REST) > 0) {
            throw new IllegalArgumentException("rest is " + rest + ", but must be more than zero, at most 366 days");
        }
        return origin.release(this, new Ending.Rested(rest));
    }

    /**
     * Runs work on this thread, which is interrupted when the trust in the lease ends. Releases nothing.
     *
     * <p>Whatever interrupted work makes of the interrupt, it has not done all it should: from then on no transaction on its thread
     * passes the lease's fence, nor finishes it, not even if nobody took it over and it is held again.
     *
     * @throws LeaseLostException if the work was interrupted because the trust in the lease had ended; what the work threw
     *     then is suppressed in it
     * @throws E what the work throws
     */
    public <E extends Exception> void runOrInterrupt(LeasedWork<E> work) throws E {
        InterruptOnLoss.run(this, work);
    }

    /**
     * Fences a transaction of the caller on the database of the leases: while it is open nobody takes the lease over. It
     * locks the lease's row for share, and waits for that lock no longer than half a statement's bound; before that for a
     * renewal that stands in line for the row, no longer than 15 seconds or three quarters of a ttl, in which the session is idle:
     * an {@code idle_in_transaction_session_timeout} is to be longer. A transaction that has
     * its fence for longer than half a ttl may leave the lease unconfirmed meanwhile; several that overlap, each for longer than 15
     * seconds, may do so for as long as there is one.
     *
     * <p>The fence is exact if it is <em>the last statement before the commit</em>, at top level, or if no savepoint around
     * it is rolled back: rolling back to a savepoint drops the lock, and a takeover may follow unseen. At repeatable read and
     * serializable fence first: a renewal after the transaction's snapshot makes a later fence fail. Until the transaction
     * ends nobody takes the lease over, even if this process is frozen: give it an {@code
     * idle_in_transaction_session_timeout}. {@link #runFenced(FencedWork)} sees to all of this by itself.
     *
     * @param connection not in autocommit mode; its settings are left as they were
     * @throws LeaseLostException if the lease is lost or released, or work on this thread was interrupted by {@link
     *     #runOrInterrupt}: roll back
     * @throws LeaseException if that could not be found out: the row was locked by another for too long, the row was
     *     changed since the transaction's snapshot, the transaction is read-only, or the database is away. The transaction has
     *     failed; the lease need not be lost
     * @throws IllegalStateException if the connection is in autocommit mode
     * @see <a href="https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS">PostgreSQL, row-level locks</a>
     */
    public void fence(Connection connection) {
        origin.fencing().fence(this, connection);
    }

    /**
     * Runs work in one transaction of its own on the database of the leases, fences it as the last statement, and commits: if
     * the lease was taken over, released or lost meanwhile, nothing of the work is committed.
     *
     * <p>The transaction runs on this thread, at read committed; a connection is waited for as long as the source lets it, and
     * the answer to what the library sends, also to the rollback, for a ttl, two minutes at most. The
     * server ends it when it is idle for longer than the ttl,
     * and, from version 17 on, when its end takes longer than that. Within it the work may {@link #finish} the lease.
     *
     * @throws LeaseLostException if the lease is lost or released; the transaction was rolled back
     * @throws LeaseException if the transaction could not be begun, fenced or committed; only if it could not be committed
     *     because the connection failed may it have been committed all the same
     * @throws IllegalStateException if the work ended the transaction itself
     * @throws E what the work throws; the transaction was rolled back
     */
    public <E extends Exception> void runFenced(FencedWork<E> work) throws E {
        runFenced(origin.fencing().dataSource(), work);
    }

    /**
     * As {@link #runFenced(FencedWork)}, on a connection of another source of the same database: for those who give the
     * leases a source of their own.
     */
    public <E extends Exception> void runFenced(DataSource dataSource, FencedWork<E> work) throws E {
        boolean unused = callFenced(dataSource, connection -> {
            work.run(connection);
            return true;
        });
    }

    /**
     * As {@link #runFenced(FencedWork)}.
     *
     * @return what the work answers
     */
    public <T, E extends Exception> T callFenced(FencedCall<T, E> work) throws E {
        return callFenced(origin.fencing().dataSource(), work);
    }

    /**
     * As {@link #runFenced(DataSource, FencedWork)}.
     *
     * @return what the work answers
     */
    public <T, E extends Exception> T callFenced(DataSource dataSource, FencedCall<T, E> work) throws E {
        return origin.fencing().call(this, dataSource, work);
    }

    /**
     * Releases the lease inside a transaction of the caller on the database of the leases, and counts its slot as run, if it
     * was acquired for one: both come true with the commit, together with what the transaction writes, or not at all. Locks
     * the row until then, so it is a fence too. Where the transaction has {@code synchronous_commit} off, it is set on for it: its
     * commit waits for the disk, so that a crash of the database does not undo what was counted.
     *
     * <p>The lease is not renewed any more and {@link #isHeld()} is false from here on; end the transaction soon, and {@link
     * #release} the lease after it, which finds out what became of it: a rolled-back finish is released without a stamp. If
     * others have acquired the name by then and the own deadline has passed, that cannot be found out, and it is told as lost.
     *
     * @throws LeaseLostException as {@link #fence}
     * @throws LeaseException as {@link #fence}
     * @throws IllegalStateException as {@link #fence}, or if another transaction is finishing the lease at this moment: the
     *     two would wait for each other
     */
    public void finish(Connection connection) {
        origin.fencing().finish(this, connection);
    }

    /**
     * Whether a transaction with a {@link #finish} of this lease is known to have been committed; known once the lease is
     * released.
     */
    public boolean isFinished() {
        return turns.isCommitted();
    }

    /**
     * Whether a call of {@link #release()}, or of another of its kind, has given it back. A {@link #finish} alone has not, for it
     * may be rolled back.
     */
    public boolean isReleased() {
        return standing().end() == Standing.End.RELEASED;
    }

    /**
     * Whether its slot is known to be counted by this lease: by the acquisition, unless it was abandoned, or by its end. That is
     * known once the lease is released, and not while the release is pending.
     */
    public boolean isCounted() {
        return slot().filter(this::isCounted).isPresent();
    }

    private boolean isCounted(Slot acquired) {
        boolean setsCountedSlot =
                ending.filter(how -> how instanceof Ending.Stamped).isPresent();
        return switch (acquired.stamp()) {
            case AT_END -> isFinished() || (setsCountedSlot && outcome == ReleaseOutcome.RELEASED);
            case AT_ACQUIRE -> !setsCountedSlot || outcome == ReleaseOutcome.LOST; // only an abandoned one is set back
            case NEVER -> false;
        };
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

    void endsBy(Ending how) {
        ending = Optional.of(how);
    }

    /** What to do when it is noticed that the lease is unconfirmed or lost; at once, if it is already. */
    void whenTrustEnds(Runnable action) {
        whenTrustEnds.add(action);
        LeaseState state = state();
        if (state == LeaseState.UNCONFIRMED || state == LeaseState.LOST) {
            action.run();
        }
    }

    /** Not any more. */
    void forget(Runnable action) {
        whenTrustEnds.remove(action);
    }

    /** Whether the work that the calling thread does at the moment was interrupted, for the trust had ended. */
    boolean hasInterruptedThisThread() {
        return whenTrustEnds.stream()
                .anyMatch(action -> action instanceof InterruptOnLoss interruption
                        && interruption.hasInterrupted(Thread.currentThread()));
    }

    /** Where it ends though its holder lives; empty if it does not. */
    Optional<Limit> limit() {
        return Optional.ofNullable(standing().limit());
    }

    /** From here on it has that limit, and is not trusted beyond it. */
    void limit(Limit limit) {
        boolean unused = move(standing -> standing.limited(limit));
    }

    boolean isPastLimit() {
        return standing().isPastLimit(ticker.read());
    }

    /** The slot that is counted when the lease ends, if it is. */
    Optional<Instant> slotToCount() {
        return slot().filter(acquired -> acquired.stamp() == Stamp.AT_END).map(Slot::at);
    }

    RowTurns turns() {
        return turns;
    }

    void trustHasEnded() {
        whenTrustEnds.forEach(Runnable::run);
    }

    /** Listeners of this lease alone, told beside those of all. */
    Optional<Listeners> alsoTold() {
        return alsoTold;
    }

    void tellAlso(Listeners listeners) {
        alsoTold = Optional.of(listeners);
    }

    LeaseKey key() {
        return gained.key();
    }

    LeaseTerms terms() {
        return gained.terms();
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
