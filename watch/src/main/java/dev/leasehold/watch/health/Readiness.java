package dev.leasehold.watch.health;

import dev.leasehold.watch.database.DatabaseFailure;
import dev.leasehold.watch.database.PoolGauge;
import dev.leasehold.watch.database.SharedCall;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Whether this instance can serve, answered within a second whatever the pool and the database do.
 *
 * <p>Migrations need no reason of their own: they are done, and their lock is gone, before the web server listens.
 */
@Component
final class Readiness implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(1);

    private final PoolGauge pool;
    private final SharedCall<Boolean> probe;
    private volatile boolean shuttingDown;

    Readiness(DataSource dataSource) {
        this.pool = new PoolGauge(dataSource);
        this.probe = new SharedCall<>("watch-readiness", new DatabaseProbe(dataSource, BOUND)::answers);
    }

    Verdict ask() throws InterruptedException {
        if (shuttingDown) {
            return Verdict.unready(Verdict.SHUTTING_DOWN, "this instance is being stopped");
        }
        try {
            return probe.await(BOUND)
                    ? Verdict.ready()
                    : Verdict.unready(Verdict.DATABASE_ERROR, "select 1 returned no row");
        } catch (TimeoutException e) {
            // the probe's own wait is among those the pool counts
            return pool.isFull() && pool.isWaitedFor()
                    ? poolEmpty()
                    : Verdict.unready(Verdict.DATABASE_AWAY, "no answer within " + BOUND.toMillis() + " ms" + before());
        } catch (ExecutionException e) {
            return failed(e);
        }
    }

    private Verdict failed(ExecutionException failure) {
        if (DatabaseFailure.isPoolTimeout(failure) && pool.isFull()) {
            return poolEmpty();
        }
        String reason = DatabaseFailure.isAway(failure) ? Verdict.DATABASE_AWAY : Verdict.DATABASE_ERROR;
        return Verdict.unready(reason, DatabaseFailure.reason(failure));
    }

    private String before() {
        return probe.lastFailure()
                .map(failure -> "; before: " + DatabaseFailure.reason(failure))
                .orElse("");
    }

    private Verdict poolEmpty() {
        return Verdict.unready(
                Verdict.POOL_EMPTY,
                pool.size() + ": all are in use, and none came back within " + BOUND.toMillis() + " ms");
    }

    @EventListener(ContextClosedEvent.class)
    void shuttingDown() {
        shuttingDown = true;
    }

    @Override
    public void close() {
        probe.close();
    }
}
