package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases on names, kept in a PostgreSQL table: each name has at most one holder at a time, and holding one costs no
 * connection. The package page explains the protocol.
 *
 * <p>One instance serves an application; each statement borrows a connection of the {@link DataSource} for a moment, on a
 * thread of this instance, so it never takes part in a caller's transaction. Every statement ends within a
 * bound of five seconds, or half of {@code ttl - margin} if that is shorter: an acquire takes one, a release one to three,
 * {@link #rows()} five seconds whatever the ttl, and {@link #close()} five bounds at most, nine with holdings. Fenced
 * transactions are an exception: they run on the caller's thread, for as long as the caller's work. The other is the wait of a lease
 * in danger for its locked row, in the background: a ttl at most at a time, and again while the row stays locked. At most three
 * statements are under way at a time; one that a silent server did not answer in time counts no more, and keeps its connection for
 * up to two bounds. Thread-safe.
 */
public final class Leases implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final Wiring wiring;
    private final DataSource dataSource;
    private final Attempts attempts;
    private final Renewer renewer;
    private final Waiting waiting;
    private final Orders orders;
    private final Supplier<RunHistoryBuilder> runHistories;
    private final Holdings holdings = new Holdings();
    private final AtomicBoolean closed = new AtomicBoolean();

    Leases(
            Wiring wiring,
            DataSource dataSource,
            FenceTable fenceTable,
            OrderTable orderTable,
            Supplier<RunHistoryBuilder> runHistories) {
        this.wiring = wiring;
        this.dataSource = dataSource;
        this.runHistories = runHistories;
        this.renewer = new Renewer(wiring);
        this.orders = new Orders(orderTable);
        var waiters = new Waiters();
        var releaser = new Releaser(wiring, waiters::wake);
        var fencing = new Fencing(fenceTable, dataSource, wiring, renewer);
        var origin = new LeaseOrigin(releaser, renewer, new Extender(wiring, renewer::isLimited), fencing);
        this.attempts = new Attempts(
                wiring, renewer, releaser, gained -> new Lease(gained, wiring.ticker(), origin), closed::get);
        this.waiting = new Waiting(this::tryAcquire, waiters, closed::get);
        renewer.start();
    }

    /** Starts to describe leases in the database of that source. */
    public static LeasesBuilder on(DataSource dataSource) {
        return new LeasesBuilder(dataSource);
    }

    /**
     * Acquires the lease of that name if it is free. Does not wait for a holder.
     *
     * @param name 1 to 512 characters, without U+0000 and lone surrogates
     * @throws IllegalArgumentException for another name
     * @throws LeaseException if the outcome is unknown or the database answered with an error: the lease is not held. An
     *     interrupt while it waits for the answer has the same effect; the flag stays set
     */
    public Acquisition tryAcquire(String name) {
        return tryAcquire(LeaseRequest.named(name));
    }

    /**
     * As {@link #tryAcquire(String)}, with a choice of the ttl, or for a limited time.
     *
     * @throws IllegalArgumentException for a ttl that these leases cannot keep; names it and the rule
     * @throws LeaseException as {@link #tryAcquire(String)}
     */
    public Acquisition tryAcquire(LeaseRequest request) {
        return attempts.tryAcquire(request, lease -> {});
    }

    /**
     * Tells whether these leases could serve the request, before it is made. No I/O.
     *
     * @throws IllegalArgumentException as {@link #tryAcquire(LeaseRequest)}
     */
    public void check(LeaseRequest request) {
        LeaseTerms unused = attempts.terms(request);
    }

    /**
     * As {@link #tryAcquire(String)}, and again until the lease is acquired or the wait is over. Holds no connection while it
     * waits: it asks when the holder's lease would end, and about once a second at least, for the holder may release it
     * before; a release by these very leases is answered at once. Who asks first does not come first.
     *
     * @param wait zero or more; zero is one try. The last try begins at its end, and takes its own time
     * @return the last refusal, if the wait is over
     * @throws IllegalArgumentException as {@link #tryAcquire(String)}, and for a negative wait
     * @throws LeaseException if the last try failed, as {@link #tryAcquire(String)}; or before the end of the wait if these
     *     leases are closed, or trying again is in vain: a table that is missing or forbidden, a connection in a transaction.
     *     A database that is away for a part of the wait does not end it
     * @throws InterruptedException if this thread is interrupted: nothing is held
     */
    public Acquisition tryAcquire(String name, Duration wait) throws InterruptedException {
        return tryAcquire(LeaseRequest.named(name), wait);
    }

    /**
     * As {@link #tryAcquire(String, Duration)}, with a choice of the ttl, or for a limited time.
     *
     * @throws IllegalArgumentException as {@link #tryAcquire(LeaseRequest)}, and for a negative wait
     * @throws LeaseException as {@link #tryAcquire(String, Duration)}
     * @throws InterruptedException if this thread is interrupted: nothing is held
     */
    public Acquisition tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        return waiting.acquire(request, wait);
    }

    /**
     * Acquires the lease of that name if it is free, nobody has paused it, and the schedule's slot, by the database's clock, is
     * due: it had no counted run yet. {@link Lease#releaseDone()} counts it. The package page of {@code dev.leasehold.rounds}
     * says when a slot is due.
     *
     * @throws IllegalArgumentException as {@link #tryAcquire(String)}
     * @throws LeaseException as {@link #tryAcquire(String)}
     */
    public Acquisition tryAcquireSlot(String name, Schedule schedule) {
        return tryAcquireSlot(new SlotRequest(name, schedule));
    }

    /**
     * As {@link #tryAcquireSlot(String, Schedule)}, with a choice of when the slot is counted, or whether it must be due.
     *
     * @throws LeaseException as {@link #tryAcquire(String)}
     * @throws IllegalStateException if a schedule of {@link Instants} answers nonsense
     */
    public Acquisition tryAcquireSlot(SlotRequest request) {
        return attempts.tryAcquireSlot(request);
    }

    /**
     * Runs the work on this thread while it holds the lease of that name, and releases it. Work that must not run on when
     * the lease is lost asks {@link Lease#isHeld()} on its way; losing it ends nothing by itself.
     *
     * @return true if the work ran, also if the lease was lost meanwhile (a listener and the log are told); false if the
     *     lease was not free
     * @throws LeaseException as {@link #tryAcquire(String)}: the work did not run
     * @throws E what the work throws; the lease is released
     */
    public <E extends Exception> boolean tryRun(String name, LeasedWork<E> work) throws E {
        return tryRun(name, LossPolicy.GO_ON, work);
    }

    /**
     * As {@link #tryRun(String, LeasedWork)}, with a choice of what a loss does to the work.
     *
     * @throws LeaseLostException with {@link LossPolicy#INTERRUPT}, if the work was interrupted because the trust in the
     *     lease had ended; what the work threw then is suppressed in it
     */
    public <E extends Exception> boolean tryRun(String name, LossPolicy policy, LeasedWork<E> work) throws E {
        return tryRun(LeaseRequest.named(name), policy, work);
    }

    /**
     * As {@link #tryRun(String, LossPolicy, LeasedWork)}, with a choice of the ttl, or for a limited time.
     *
     * @throws IllegalArgumentException as {@link #tryAcquire(LeaseRequest)}
     * @throws LeaseLostException as {@link #tryRun(String, LossPolicy, LeasedWork)}
     */
    public <E extends Exception> boolean tryRun(LeaseRequest request, LossPolicy policy, LeasedWork<E> work) throws E {
        Optional<Lease> acquired = tryAcquire(request).lease();
        if (acquired.isEmpty()) {
            return false;
        }
        try (Lease lease = acquired.get()) {
            switch (policy) {
                case GO_ON -> work.run(lease);
                case INTERRUPT -> InterruptOnLoss.run(lease, work);
            }
        }
        return true;
    }

    /**
     * Starts to describe a {@link Holding} of that name: its lease is kept continuously by one instance at a time.
     *
     * @throws IllegalArgumentException as {@link #tryAcquire(String)}
     */
    public HoldingBuilder holdOn(String name) {
        return new HoldingBuilder(
                name,
                wiring.terms(),
                described -> holdings.start(
                        described,
                        whenGained -> attempts.tryAcquire(LeaseRequest.named(described.name()), whenGained),
                        wiring));
    }

    /**
     * Deletes the rows of names that nobody has used for a while, as names made up for one use leave them behind: released
     * ones that were last acquired at least that long ago, and expired ones that ended at least that long ago. Never one
     * that is held, or a round's that has had a counted run. The fence goes on growing when such a name comes back.
     *
     * <p>It needs the privilege to delete. May be called at any time, on any instance, beside any other use of the names; in
     * batches of 1,000 rows, each deleted by a statement of its own.
     *
     * @param unusedFor by the database's clock, 1 minute to 36,500 days
     * @return how many rows were deleted
     * @throws IllegalArgumentException for another age; names it and the rule
     * @throws LeaseException if the database did not answer a batch within five seconds or answered with an error; the
     *     batches before stay deleted
     */
    public long cleanUp(Duration unusedFor) {
        CleanUp.Batch batch =
                (age, most) -> wiring.table().deleteUnused(wiring.shared(), age, most, Wiring.LONGEST_WAIT);
        return new CleanUp("unused leases", "unusedFor", batch).run(unusedFor);
    }

    /**
     * Makes a round's slot due again that was counted already, whoever runs it then: an operator's request for one extra run.
     * Instances see it at their next look, within a minute, and the grid stays as it is. Ends a rest; has no effect while it is
     * paused, but after it. Where it is held at this moment nothing changes, for that run counts when it ends.
     *
     * @param name of the lease; of a round of node scope {@code round@node}, or {@code round} for all its nodes
     * @return the names of the leases whose slots were made due; one that was never asked for has no row: it is due
     *     on a grid, and waits for its next instant on other schedules
     * @throws IllegalArgumentException as {@link #tryAcquire(String)}
     * @throws LeaseException if the database did not answer in time or answered with an error; or because another transaction
     *     has a row of it locked for more than five seconds, while its slots in other rows may have been made due
     */
    public List<String> makeDue(String name) {
        return orders.makeDue(name);
    }

    /**
     * Pauses a round in the whole cluster: none begins until it is resumed; one that runs goes on to its end. Leases that are
     * not acquired for a slot do not notice. It outlives every instance. A round may be paused before its first start; where no
     * round of that name has ever looked whether it is due, a warning in the log says so, for the name may be a wrong one.
     *
     * @param name of the round; {@code round@node} for one of its nodes only
     * @param reason for those who will wonder, 1 to 500 characters; replaces an earlier one
     * @return whether it was not paused before
     * @throws IllegalArgumentException as {@link #tryAcquire(String)}, and for another reason
     * @throws LeaseException as {@link #makeDue}; or because another transaction has its row locked for more than five seconds
     */
    public boolean pause(String name, String reason) {
        return orders.pause(name, reason);
    }

    /**
     * Resumes a paused round; instances see it at their next look, within a minute.
     *
     * @param name as it was paused
     * @return whether it was paused
     * @throws LeaseException as {@link #pause}
     */
    public boolean resume(String name) {
        return orders.resume(name);
    }

    /**
     * Ends the lease of that name, whoever holds it, and others may acquire it at once: an operator's last resort against a holder
     * that hangs and goes on renewing. The holder is told that it is lost at its next renewal, a period later
     * at most ({@link LossReason#RELEASED_BY_OTHERS}, or {@link LossReason#TAKEN_OVER} if another holds it by then), and works on
     * until then, beside the next holder perhaps; its fence fences nothing from now on. Ends a lease
     * that has run out too, for its holder could have it confirmed again. No slot is counted, nor given back, and it does not
     * count as a death. The log tells the reason, as a warning.
     *
     * @param reason for those who will wonder, 1 to 500 characters
     * @return what was ended; empty if nobody held the name, or its holder has just released it
     * @throws IllegalArgumentException as {@link #tryAcquire(String)}, and for another reason
     * @throws LeaseException as {@link #pause}: a transaction that fences the lease has its row locked until it ends
     */
    public Optional<ForcedRelease> releaseByForce(String name, String reason) {
        return orders.releaseByForce(name, reason);
    }

    /**
     * As {@link #releaseByForce(String, String)}, but ends the acquisition that was seen and no other: for an operator who has looked
     * who holds the lease before.
     *
     * @param fence of that acquisition, as {@link LeaseRow#fence} tells it
     * @return what was ended; empty also if another acquisition holds the name by now, which is left as it is
     */
    public Optional<ForcedRelease> releaseByForce(String name, long fence, String reason) {
        return orders.releaseByForce(name, fence, reason);
    }

    /** Starts to describe a {@link RunHistory}: a table in the database of these leases that tells of the runs of rounds. */
    public RunHistoryBuilder runHistory() {
        return runHistories.get();
    }

    /** The source that these leases borrow their connections from. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The leases acquired here that are neither released nor known to be lost, in no order: a look into memory, no I/O. */
    public List<Lease> held() {
        return renewer.held();
    }

    /**
     * Those of {@link #held()} whose last confirmed renewal is more than half a ttl ago, or that are unconfirmed already: the
     * database does not answer, its answers come late, or a row stays locked. In no order; no I/O.
     */
    public List<Lease> inDanger() {
        return renewer.inDanger();
    }

    /**
     * Every row of the lease table, by name: for people who look.
     *
     * @throws LeaseException if the database did not answer in time or answered with an error
     */
    public List<LeaseRow> rows() {
        try {
            return wiring.table().rows(wiring.shared(), Wiring.LONGEST_WAIT);
        } catch (SQLException e) {
            throw new LeaseException("the leases could not be read: " + e.getMessage() + Hint.of(e), e);
        }
    }

    /**
     * Ends the holdings, which release their leases, and the renewal; what is still pending, a release or an entry of the run
     * history, gets one more try. Call
     * it when all work under leases has ended: a lease that is still held is not released, since its work may still run; it
     * runs out by itself, and is named in the log. Acquiring fails from then on, and a release frees no row any more. A thread
     * that is stuck in a {@code getConnection} outlives the call, and keeps no JVM alive.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        holdings.close();
        renewer.close();
        for (Lease lease : renewer.held()) {
            log.warn(
                    "lease {} of {} was still held at the end: it is not released, and runs out within {}",
                    lease.name(),
                    lease.holder(),
                    lease.terms().ttl());
        }
        wiring.background().close(wiring.bound());
        wiring.shared().close();
        wiring.renewal().close();
        wiring.listeners().close(wiring.bound());
    }

    /** Whether {@link #close} was called: nothing is acquired any more. */
    public boolean isClosed() {
        return closed.get();
    }

    private record LeaseOrigin(Releaser releaser, Renewer renewer, Extender extender, Fencing fencing)
            implements Lease.Origin {

        @Override
        public boolean extend(Lease lease, Duration limit) {
            return extender.extend(lease, limit);
        }

        @Override
        public ReleaseOutcome release(Lease lease, Ending ending) {
            try {
                return releaser.release(lease, ending);
            } finally {
                renewer.remove(lease);
            }
        }
    }
}
