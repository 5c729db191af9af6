package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is told of many leases whose renewal failed together. */
class FailedRenewalsTest {

    private static final int MANY = 3_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final AtomicLong millis = new AtomicLong();

    private static Reading at(long millis) {
        return new Reading(Duration.ofMillis(millis).toNanos(), Instant.ofEpochMilli(millis));
    }

    @Test
    void allAreToldInTheOrderInWhichTheirTrustEndsThoughTimePassesMeanwhile() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        var listener = new LeaseListener() {
            @Override
            public void renewalFailed(Lease lease, Duration timeLeft) {
                told.add(lease.name());
            }
        };
        try (var parts = Parts.of(
                TestDatabase.dataSource("jdbc:postgresql://localhost:1/none"),
                Duration.ofHours(1),
                () -> at(millis.addAndGet(50)),
                listener)) {
            var inOrder = new ArrayList<String>();
            var failed = new ArrayList<Renewing>();
            for (int i = 0; i < MANY; i++) {
                inOrder.add("lease " + i);
                failed.add(new Renewing(parts.lease("lease " + i, at(i)), at(i)));
            }
            Collections.shuffle(failed, new Random(7));
            parts.renewer().failed(failed, new SQLException("away"));
            parts.wiring().listeners().close(LIMIT);
            assertThat(told).isEqualTo(inOrder);
        }
    }
}
