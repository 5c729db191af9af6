package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DatabaseProbeTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    /** Lets each borrower wait until the test opens what it waits at. */
    private static final class Gated extends ForwardingDataSource {

        private final BlockingQueue<CountDownLatch> gates = new LinkedBlockingQueue<>();

        Gated(TestDatabase database) {
            super(database.dataSource());
        }

        CountDownLatch nextBorrower() throws InterruptedException {
            var gate = gates.poll(20, TimeUnit.SECONDS);
            assertThat(gate).as("somebody borrows").isNotNull();
            return gate;
        }

        @Override
        public Connection getConnection() throws SQLException {
            var gate = new CountDownLatch(1);
            gates.add(gate);
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
            return super.getConnection();
        }
    }

    @Test
    void theEndOfACallThatWasGivenUpTellsNothingOfTheNextOne() throws Exception {
        var source = new Gated(database);
        var probe = new DatabaseProbe(source, new PoolGauge(database.dataSource()), Duration.ofSeconds(10));
        assertThat(probe.isBorrowing()).isFalse();
        var threads = Executors.newCachedThreadPool();
        try {
            Future<DatabaseProbe.Answer> givenUp = threads.submit(probe::ask);
            CountDownLatch first = source.nextBorrower();
            Future<DatabaseProbe.Answer> next = threads.submit(probe::ask);
            CountDownLatch second = source.nextBorrower();
            first.countDown();
            assertThat(givenUp.get(20, TimeUnit.SECONDS)).isEqualTo(DatabaseProbe.Answer.WRITABLE);
            assertThat(probe.isBorrowing())
                    .as("the next one has no connection yet")
                    .isTrue();
            second.countDown();
            assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(DatabaseProbe.Answer.WRITABLE);
            assertThat(probe.isBorrowing()).isFalse();
        } finally {
            threads.shutdownNow();
        }
    }
}
