package dev.leasehold.watch.doctor;

import dev.leasehold.doctor.CouldNotLookException;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Doctor;
import dev.leasehold.spring.LeaseholdProperties;
import dev.leasehold.spring.database.DatabaseFailure;
import dev.leasehold.spring.database.PoolGauge;
import dev.leasehold.spring.database.SharedCall;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Looks at the database server when somebody asks, one look at a time and none for some seconds after another however many
 * ask, each answer within a bound. A look borrows one connection for a moment.
 */
@Component
final class Looks implements AutoCloseable {

    /** Longer than all that a look itself may wait for: a second connection, and locks on the lease table. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private static final Duration KEPT = Duration.ofSeconds(3);

    private static final Logger log = LoggerFactory.getLogger(Looks.class);

    private final Duration bound;
    private final Duration kept;
    private final Doctor doctor;
    private final PoolGauge pool;
    private final SharedCall<Looked> look;
    private volatile @Nullable Looked last;

    @Autowired
    Looks(DataSource dataSource, LeaseholdProperties leases) {
        this(dataSource, leases, BOUND, KEPT);
    }

    /**
     * With bounds of their own.
     *
     * @param bound of an answer
     * @param kept how long the answer of a look serves others
     */
    Looks(DataSource dataSource, LeaseholdProperties leases, Duration bound, Duration kept) {
        this.bound = bound;
        this.kept = kept;
        this.doctor = Doctor.on(dataSource).withTable(leases.table());
        this.pool = new PoolGauge(dataSource);
        this.look = new SharedCall<>("watch-doctor", this::look);
    }

    Outcome current() throws InterruptedException {
        Optional<Looked> fresh = fresh();
        if (fresh.isPresent()) {
            return fresh.get();
        }
        try {
            return look.await(bound);
        } catch (TimeoutException e) {
            return new Away(
                    pool.isFull() && pool.isWaitedFor()
                            ? poolIsEmpty()
                            : "no answer within " + bound.toSeconds() + " s" + before());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CouldNotLookException told) {
                return new Away(pool.isFull() ? poolIsEmpty() : reason(told));
            }
            log.error("a look of the doctor failed", e.getCause());
            return new Away(DatabaseFailure.reason(e));
        }
    }

    private String poolIsEmpty() {
        return "all connections of the " + pool.size() + " are in use";
    }

    private String before() {
        return look.lastFailure().map(failure -> "; before: " + reason(failure)).orElse("");
    }

    private static String reason(Throwable failure) {
        return failure instanceof CouldNotLookException told
                ? String.valueOf(told.getMessage())
                : DatabaseFailure.reason(failure);
    }

    /** Asks again whether there is a fresh one: it may have ended since. */
    private Looked look() {
        return fresh().orElseGet(this::lookNow);
    }

    private Looked lookNow() {
        var looked = new Looked(doctor.look(), System.nanoTime());
        last = looked;
        return looked;
    }

    private Optional<Looked> fresh() {
        return Optional.ofNullable(last).filter(looked -> System.nanoTime() - looked.endedNanos() < kept.toNanos());
    }

    @Override
    public void close() {
        look.close();
    }

    /** What came of it. */
    sealed interface Outcome permits Looked, Away {}

    record Looked(Diagnosis diagnosis, long endedNanos) implements Outcome {}

    record Away(String reason) implements Outcome {}
}
