package dev.leasehold.watch.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spring.LeaseholdProperties;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.doctor.Looks.Away;
import dev.leasehold.watch.doctor.Looks.Looked;
import dev.leasehold.watch.doctor.Looks.Outcome;
import dev.leasehold.watch.testing.Properties;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How many looks there are for how many viewers. */
class LooksTest {

    private static final int VIEWERS = 20;

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final AtomicInteger borrowings = new AtomicInteger();
    private final CountDownLatch mayBorrow = new CountDownLatch(1);

    private final ForwardingDataSource counted = new ForwardingDataSource(database.dataSource()) {
        @Override
        public Connection getConnection() throws SQLException {
            borrowings.incrementAndGet();
            try {
                mayBorrow.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
            return super.getConnection();
        }
    };

    private static final Duration LONG = Duration.ofMinutes(1);

    private Looks looks(Duration bound) {
        return new Looks(counted, Properties.bound("leasehold", LeaseholdProperties.class, Map.of()), bound, LONG);
    }

    @Test
    void viewersAtOneMomentAndSoonAfterShareALook() throws Exception {
        var threads = Executors.newFixedThreadPool(VIEWERS);
        try (var looks = looks(LONG)) {
            var asking = new CountDownLatch(VIEWERS);
            List<Future<Outcome>> answers = new ArrayList<>();
            for (int i = 0; i < VIEWERS; i++) {
                answers.add(threads.submit(() -> {
                    asking.countDown();
                    return looks.current();
                }));
            }
            asking.await();
            mayBorrow.countDown();
            Outcome first = answers.get(0).get(60, TimeUnit.SECONDS);
            assertThat(first).isInstanceOf(Looked.class);
            for (Future<Outcome> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isSameAs(first);
            }
            assertThat(looks.current()).isSameAs(first);
            assertThat(borrowings).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void viewerOfALookThatHangsIsToldSoAndTheNextOneStartsNoSecond() throws Exception {
        try (var looks = looks(Duration.ofSeconds(1))) {
            for (int i = 0; i < 2; i++) {
                assertThat(looks.current())
                        .asInstanceOf(type(Away.class))
                        .extracting(Away::reason)
                        .isEqualTo("no answer within 1 s");
            }
            await().atMost(LONG).until(() -> borrowings.get() > 0);
            assertThat(borrowings).hasValue(1);
            mayBorrow.countDown();
            await().atMost(LONG).until(() -> looks.current() instanceof Looked);
            assertThat(borrowings).hasValue(1);
        }
    }
}
