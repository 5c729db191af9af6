package dev.leasehold.watch.page;

import dev.leasehold.Leases;
import dev.leasehold.spring.database.DatabaseFailure;
import dev.leasehold.spring.database.PoolGauge;
import dev.leasehold.spring.database.SharedCall;
import dev.leasehold.spring.rounds.ApplicationRounds;
import dev.leasehold.watch.nodes.Instances;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Loads snapshots, one at a time however many look at the page, each answer within a bound.
 *
 * <p>All but the leases is read in one transaction, of one moment; the leases after it, so that never two connections are
 * held.
 */
@Component
final class Snapshots implements AutoCloseable {

    static final Duration BOUND = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(Snapshots.class);

    private final ObjectProvider<Leases> leases;
    private final Instances instances;
    private final SnapshotQueries queries;
    private final ApplicationRounds rounds;
    private final TransactionTemplate oneMoment;
    private final PoolGauge pool;
    private final SharedCall<Snapshot> load;
    private final AtomicBoolean failing = new AtomicBoolean();

    Snapshots(
            ObjectProvider<Leases> leases,
            Instances instances,
            SnapshotQueries queries,
            ApplicationRounds rounds,
            PlatformTransactionManager transactions,
            DataSource dataSource) {
        this.leases = leases;
        this.instances = instances;
        this.queries = queries;
        this.rounds = rounds;
        this.oneMoment = new TransactionTemplate(transactions);
        oneMoment.setReadOnly(true);
        oneMoment.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        oneMoment.setTimeout(3);
        this.pool = new PoolGauge(dataSource);
        this.load = new SharedCall<>("watch-page", this::load);
    }

    Outcome current() throws InterruptedException {
        try {
            var loaded = new Loaded(load.await(BOUND));
            failing.set(false);
            return loaded;
        } catch (TimeoutException e) {
            return new Away(
                    pool.isFull() && pool.isWaitedFor()
                            ? "all connections of the " + pool.size() + " are in use"
                            : "no answer within " + BOUND.toSeconds() + " s" + before());
        } catch (ExecutionException e) {
            // one line for the first of many
            if (!failing.getAndSet(true)) {
                log.warn("the page has nothing to show: {}", DatabaseFailure.reason(e), e.getCause());
            }
            return new Away(DatabaseFailure.reason(e));
        }
    }

    private String before() {
        return load.lastFailure()
                .map(failure -> "; before: " + DatabaseFailure.reason(failure))
                .orElse("");
    }

    private Snapshot load() {
        Snapshot snapshot = oneMoment.execute(status -> new Snapshot(
                queries.now(), instances.all(), List.of(), rounds.status(), queries.monitors(), queries.domains()));
        Leases known = leases.getIfAvailable();
        return known == null ? snapshot : snapshot.with(known.rows());
    }

    @Override
    public void close() {
        load.close();
    }

    /** What came of it. */
    sealed interface Outcome permits Loaded, Away {}

    record Loaded(Snapshot snapshot) implements Outcome {}

    record Away(String reason) implements Outcome {}
}
