package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who gives a lease back stops to believe first. */
class ReleaseOrderTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void theHolderNoLongerHoldsBeforeTheRowIsFreedAndListenersAreToldAfterIt() throws Exception {
        var watched = new AtomicReference<@Nullable Lease>();
        List<String> seen = new CopyOnWriteArrayList<>();
        var source = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Lease lease = watched.get();
                if (lease != null) {
                    seen.add("sending " + lease.state());
                }
                return super.getConnection();
            }
        };
        var listener = new LeaseListener() {
            @Override
            public void released(Lease lease) {
                seen.add("told " + lease.state());
            }
        };
        try (var leases = Leases.on(source).listener(listener).build();
                var next = Leases.on(database.dataSource()).build()) {
            for (int i = 0; i < 20; i++) {
                seen.clear();
                var lease = leases.tryAcquire("sweep").lease().orElseThrow();
                watched.set(lease);
                var successor = new AtomicReference<@Nullable Lease>();
                var taker = new Thread(() -> {
                    while (successor.get() == null) {
                        next.tryAcquire("sweep").lease().ifPresent(taken -> {
                            seen.add("taken while " + lease.state());
                            successor.set(taken);
                        });
                    }
                });
                taker.start();
                lease.release();
                taker.join();
                watched.set(null);
                Await.until(
                        "told", Duration.ofSeconds(20), () -> seen.stream().anyMatch(one -> one.startsWith("told")));
                // It is sent again where a taker that came too early had the row locked for a moment.
                assertThat(Set.copyOf(seen))
                        .containsExactlyInAnyOrder("sending RELEASED", "told RELEASED", "taken while RELEASED");
                assertThat(seen).filteredOn("told RELEASED"::equals).hasSize(1);
                Lease taken = successor.get();
                if (taken != null) {
                    taken.release();
                }
            }
        }
    }
}
