package dev.leasehold.spring.database;

import dev.leasehold.spring.database.Readiness.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Whether an application's database can serve it, answered within a bound whatever the pool and the wire do.
 *
 * <p>The database is asked by one probe at a time on one thread of its own, however often and by however many this is asked.
 * It takes a connection as any request would: none within the bound is a reason not to send more requests. Every ask
 * looks anew, so it recovers by itself. Thread-safe.
 */
public final class DatabaseReadiness implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MOST_TOLERATED = 1_000;

    private final Duration timeout;
    private final int toleratedFailures;
    private final PoolGauge pool;
    private final DatabaseProbe probe;
    private final SharedCall<DatabaseProbe.Answer> call;
    private final Object lock = new Object();
    private int failures;
    private long lastFailureNanos;

    /**
     * Of that source, a pool or none.
     *
     * @param timeout how long an ask may take: 1 ms to 1 minute
     * @param toleratedFailures how many asks in a row may fail and still be answered as ready: 0 to 1,000. Asks at the same
     *     moment count once
     * @throws IllegalArgumentException for others; names the value and the rule
     */
    public DatabaseReadiness(DataSource dataSource, Duration timeout, int toleratedFailures) {
        this(dataSource, new PoolGauge(dataSource), timeout, toleratedFailures);
    }

    /** As the other, with what is known of the source's pool. */
    DatabaseReadiness(DataSource dataSource, PoolGauge pool, Duration timeout, int toleratedFailures) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout is " + timeout + ", but must be 1 ms to 1 minute");
        }
        if (toleratedFailures < 0 || toleratedFailures > MOST_TOLERATED) {
            throw new IllegalArgumentException(
                    "toleratedFailures is " + toleratedFailures + ", but must be 0 to " + MOST_TOLERATED);
        }
        this.timeout = timeout;
        this.toleratedFailures = toleratedFailures;
        this.pool = pool;
        this.probe = new DatabaseProbe(dataSource, pool, timeout);
        this.call = SharedCall.ofEach("leasehold-readiness", probe::next);
    }

    /**
     * Asks the database, for as long as the timeout at most.
     *
     * @throws InterruptedException if this thread is interrupted meanwhile
     */
    public Readiness ask() throws InterruptedException {
        long begunNanos = System.nanoTime();
        try {
            CompletableFuture<DatabaseProbe.Answer> asked = call.inFlight();
            try {
                return answered(begunNanos, asked.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                return noAnswer(begunNanos, asked);
            }
        } catch (ExecutionException e) {
            return failed(begunNanos, e);
        }
    }

    private Readiness answered(long begunNanos, DatabaseProbe.Answer answer) {
        return switch (answer) {
            case WRITABLE -> ready();
            case READ_ONLY -> unready(begunNanos, Reason.READ_ONLY, "its transactions are read-only by default");
            case STANDBY -> unready(begunNanos, Reason.READ_ONLY, "it is a standby");
        };
    }

    private Readiness noAnswer(long begunNanos, CompletableFuture<DatabaseProbe.Answer> asked)
            throws ExecutionException, InterruptedException {
        boolean isConnected = probe.isConnected();
        boolean isWaiting = !isConnected || pool.isWaitedFor(); // a source may borrow when the first statement comes
        boolean isEmpty = pool.isFull() && isWaiting;
        if (asked.isDone()) { // in the last moment: what was seen of the pool may be of the call after it
            return answered(begunNanos, asked.get());
        }
        if (isEmpty) {
            return poolEmpty(begunNanos);
        }
        String what = isConnected ? "no answer" : "no connection";
        String unknown = !isConnected && !pool.isKnown() ? ", and how full the pool is cannot be known" : "";
        return unready(
                begunNanos, Reason.DATABASE_AWAY, what + " within " + timeout.toMillis() + " ms" + unknown + before());
    }

    private Readiness failed(long begunNanos, ExecutionException failure) {
        boolean isWithoutConnection = failure.getCause() instanceof DatabaseProbe.NoConnectionException
                || DatabaseFailure.isPoolTimeout(failure); // a source may borrow when the first statement comes
        if (isWithoutConnection && pool.isFull()) {
            return poolEmpty(begunNanos);
        }
        return unready(begunNanos, reason(failure), DatabaseFailure.reason(failure));
    }

    private static Reason reason(Throwable failure) {
        if (DatabaseFailure.isReadOnly(failure)) {
            return Reason.READ_ONLY;
        }
        return DatabaseFailure.isAway(failure) ? Reason.DATABASE_AWAY : Reason.DATABASE_ERROR;
    }

    private String before() {
        return call.lastFailure()
                .map(failure -> "; before: " + DatabaseFailure.reason(failure))
                .orElse("");
    }

    private Readiness poolEmpty(long begunNanos) {
        return unready(
                begunNanos,
                Reason.POOL_EMPTY,
                pool.size() + ": all are in use, and none came back within " + timeout.toMillis() + " ms");
    }

    private Readiness ready() {
        synchronized (lock) {
            failures = 0;
            return new Readiness(true, Optional.empty(), "", 0);
        }
    }

    private Readiness unready(long begunNanos, Reason reason, String detail) {
        synchronized (lock) {
            boolean isCounted = failures > 0 && begunNanos - lastFailureNanos < 0;
            if (!isCounted) {
                failures++;
                lastFailureNanos = System.nanoTime();
            }
            return new Readiness(failures <= toleratedFailures, Optional.of(reason), detail, failures);
        }
    }

    /** Ends the probe's thread; asks fail from then on. */
    @Override
    public void close() {
        call.close();
    }
}
