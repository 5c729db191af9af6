package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fence of a lease whose renewal stands in line for the row, behind another fenced transaction that lasts. */
class FencesLetRenewalsPassTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration TTL = Duration.ofMinutes(2);

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void itWaitsForTheRenewalForLongerThanForALock() throws Exception {
        Leases.on(database.dataSource()).build().close();
        database.execute("insert into leases (name, holder, expires_at, fence)"
                + " values ('sweep', 'me', now() + interval '1 hour', 1)");
        var thread = Executors.newSingleThreadExecutor();
        try (var parts = Parts.of(database.dataSource(), TTL, Ticker.system(), new LeaseListener() {});
                var connection = database.connect()) {
            var table = new FenceTable(TableName.of(LeasesBuilder.DEFAULT_TABLE));
            var fencing = new Fencing(table, database.dataSource(), parts.wiring(), parts.renewer());
            var lease = parts.lease("sweep", Ticker.system().read());
            connection.setAutoCommit(false);
            lease.turns().renewalWaits(true);
            lease.turns().renewalHasConnection();
            var fenced = thread.submit(() -> fencing.fence(lease, connection));
            Duration longerThanForALock = parts.wiring().bound().dividedBy(2).plusSeconds(1);
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> fenced.get(longerThanForALock.toMillis(), TimeUnit.MILLISECONDS));
            lease.turns().renewalWaits(false);
            assertThat(fenced.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNull();
            connection.rollback();
        } finally {
            thread.shutdownNow();
        }
    }

    /** All connections of the pool may be with those who wait here. */
    @Test
    @Timeout(60)
    void itDoesNotWaitForLongWhileTheRenewalHasNoConnection() {
        var turns = new RowTurns();
        turns.renewalWaits(true);
        turns.renewalHasConnection();
        turns.renewalWaits(false);
        turns.renewalWaits(true);
        turns.letRenewalPass(Duration.ofHours(1), Duration.ofMillis(10));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
