package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Whatever a renewal throws, the next one follows. */
class RenewalSurvivesTest {

    private static final Duration TTL = Duration.ofMinutes(1);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static final class NoClass extends LinkageError {
        private static final long serialVersionUID = 1L;
    }

    /** Throws, on the renewal's thread, one after the other of what is queued. */
    private static final class Throwing extends ForwardingDataSource {

        private final ConcurrentLinkedQueue<Throwable> next = new ConcurrentLinkedQueue<>();

        Throwing(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Throwable thrown = isRenewal() ? next.poll() : null;
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            if (thrown != null) {
                throw new SQLException(thrown);
            }
            return super.getConnection();
        }

        private static boolean isRenewal() {
            return Thread.currentThread().getName().startsWith("leasehold-renewal");
        }
    }

    /** Throws whatever it is told, and keeps what it was told. */
    private static final class ThrowingListener implements LeaseListener {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void gained(Lease lease) {
            told.add("gained");
            throw new NoClass();
        }

        @Override
        public void renewalFailed(Lease lease, Duration timeLeft) {
            told.add("renewal failed");
            if (told.size() % 2 == 0) {
                throw new IllegalStateException("listener");
            }
            throw new NoClass();
        }
    }

    private long expiry() throws Exception {
        return database.queryForLong("select (extract(epoch from expires_at) * 1000000)::bigint from leases");
    }

    @Test
    void anExceptionAnErrorAndAListenerThatThrowsEachLeaveTheNextRenewalToHappen() throws Exception {
        var throwing = new Throwing(database.dataSource());
        var listener = new ThrowingListener();
        try (var leases = Leases.on(throwing)
                .ttl(TTL)
                .renewEvery(Duration.ofSeconds(1))
                .listener(listener)
                .build()) {
            var lease = leases.tryAcquire("kept").lease().orElseThrow();
            List<Throwable> all = List.of(
                    new SQLException("first"),
                    new NoClass(),
                    new IllegalStateException("pool"),
                    new OutOfMemoryError());
            for (Throwable thrown : all) {
                long before = expiry();
                int told = listener.told.size();
                throwing.next.add(thrown);
                Await.until("thrown", TTL, throwing.next::isEmpty);
                Await.until("told", TTL, () -> listener.told.size() > told);
                Await.until("renewed", TTL, () -> expiry() > before);
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(listener.told).startsWith("gained", "renewal failed");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
