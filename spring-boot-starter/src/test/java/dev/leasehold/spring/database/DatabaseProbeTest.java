package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DatabaseProbeTest {

    private static final int LIMIT_SECONDS = 30;

    private final TestDatabase database = TestPostgres.freshDatabase();

    /** Lets each borrower wait with its connection, before its first statement, until the test opens what it waits at. */
    private static final class Gated extends ForwardingDataSource {

        private final BlockingQueue<CountDownLatch> gates = new LinkedBlockingQueue<>();

        Gated(TestDatabase database) {
            super(database.dataSource());
        }

        CountDownLatch nextBorrower() throws InterruptedException {
            var gate = gates.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(gate).as("somebody has a connection").isNotNull();
            return gate;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("createStatement")) {
                            var gate = new CountDownLatch(1);
                            gates.add(gate);
                            gate.await();
                        }
                        return method.invoke(connection, arguments);
                    });
        }
    }

    @Test
    void theEndOfACallThatWasGivenUpTellsNothingOfTheNextOne() throws Exception {
        var source = new Gated(database);
        var probe = new DatabaseProbe(source, new PoolGauge(database.dataSource()), Duration.ofSeconds(10));
        assertThat(probe.isConnected()).isFalse();
        var threads = Executors.newCachedThreadPool();
        try {
            Future<DatabaseProbe.Answer> givenUp = threads.submit(probe.next());
            CountDownLatch first = source.nextBorrower();
            Future<DatabaseProbe.Answer> next = threads.submit(probe.next());
            CountDownLatch second = source.nextBorrower();
            first.countDown();
            assertThat(givenUp.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(DatabaseProbe.Answer.WRITABLE);
            assertThat(probe.isConnected())
                    .as("the next one has its connection")
                    .isTrue();
            second.countDown();
            assertThat(next.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(DatabaseProbe.Answer.WRITABLE);
            assertThat(probe.isConnected())
                    .as("known until the next one, for who is slow to look")
                    .isTrue();
            Callable<DatabaseProbe.Answer> later = probe.next();
            assertThat(probe.isConnected()).as("which has not begun").isFalse();
            assertThat(later).isNotNull();
        } finally {
            threads.shutdownNow();
        }
    }
}
