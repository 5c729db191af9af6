package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls on a server that accepts and never answers, or that is gone: each returns, and says so. */
class BoundedCallsTest {

    /** The bound of its statements is 1.4 s, and no call takes longer than five of them, or the five seconds of a look. */
    private static final Duration BRIEF = Duration.ofSeconds(3);
    /** Without a bound a call would wait for ever, and not a few times as long. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Wire wire = Wire.to(database);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        wire.close();
        threads.shutdownNow();
    }

    private Leases leases() {
        return Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                .ttl(BRIEF)
                .build();
    }

    private static Lease acquired(Leases leases, String name) throws Exception {
        return leases.tryAcquire(name, LIMIT).lease().orElseThrow();
    }

    /** One statement of it has a second and a half, and the machine may stand still. */
    private static Lease acquiredSlot(Leases leases) throws Exception {
        var slot = new AtomicReference<@Nullable Lease>();
        Await.until("acquired", LIMIT, () -> {
            try {
                leases.tryAcquireSlot("counted", Grid.every(Duration.ofHours(1)))
                        .lease()
                        .ifPresent(slot::set);
            } catch (LeaseException e) {
                return false;
            }
            return slot.get() != null;
        });
        return Objects.requireNonNull(slot.get());
    }

    private Connection begun() throws Exception {
        var connection = TestDatabase.dataSource(wire.jdbcUrl(database)).getConnection();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("select 1");
        }
        return connection;
    }

    private <T> Future<T> begin(Callable<T> call) {
        return threads.submit(call);
    }

    private Future<@Nullable Throwable> beginToFail(Lease lease, Consumer<Lease> call) {
        return threads.submit(() -> catchThrowable(() -> call.accept(lease)));
    }

    private static <T> T ended(Future<T> call) throws Exception {
        return call.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyCallReturnsWhenTheServerIsSilentOrGone(boolean isGone) throws Exception {
        try (var leases = leases();
                var ending = leases();
                var transaction = begun();
                var finishing = begun()) {
            var released = acquired(leases, "released");
            var counted = acquiredSlot(leases);
            var fenced = acquired(leases, "fenced");
            var finished = acquired(leases, "finished");
            var held = acquired(ending, "held");
            var holding = ending.holdOn("led").start();
            Await.until("holding", LIMIT, () -> holding.lease().isPresent());
            wire.become(isGone ? Wire.Mode.CUT : Wire.Mode.SILENT);
            var releases = List.of(begin(released::release), begin(counted::releaseDone));
            var failures = List.of(
                    beginToFail(fenced, lease -> lease.fence(transaction)),
                    beginToFail(finished, lease -> lease.finish(finishing)),
                    beginToFail(fenced, lease -> leases.rows()),
                    beginToFail(fenced, lease -> leases.tryAcquire("another")),
                    beginToFail(fenced, lease -> leases.makeDue("round")));
            Future<?> end = threads.submit(ending::close);
            for (var release : releases) {
                assertThat(ended(release)).isEqualTo(ReleaseOutcome.PENDING);
            }
            for (var failure : failures) {
                assertThat(ended(failure)).isExactlyInstanceOf(LeaseException.class);
            }
            assertThat(ended(end)).isNull();
            assertThat(ending.isClosed()).isTrue();
            Await.until("nothing is trusted", LIMIT, () -> !fenced.isHeld() && !held.isHeld());
            wire.close(); // what is left ends at once
        }
    }
}
