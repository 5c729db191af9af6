package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.shedlock.LockMain.Maker;
import dev.leasehold.shedlock.LockProcess.Asked;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes that die, or whose clocks are wrong. */
class ProcessesTest {

    private static final Duration TTL = LockMain.TTL;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final LockConfiguration JOB = new LockConfiguration(Instant.EPOCH, "job", HOUR, Duration.ZERO);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final LockRows rows = new LockRows(database);
    private final Leases leases = Leases.on(database.dataSource()).build();
    private final LeaseholdLockProvider provider = LeaseholdLockProvider.on(leases);

    @AfterEach
    void close() {
        leases.close();
    }

    private LockProcess start(Asked asked) throws IOException {
        return LockProcess.start(database, Maker.LEASEHOLD, asked);
    }

    /** Also before lockAtLeastFor has passed: that is promised by the unlock, which never came. */
    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT30M"})
    void theLockOfAKilledProcessIsFreeAfterALeaseAndNotAfterLockAtMostFor(String atLeast) throws Exception {
        try (var holder = start(new Asked(HOUR, Duration.parse(atLeast), Duration.ZERO))) {
            assertThat(holder.says()).isEqualTo("locked");
            assertThat(provider.lock(JOB)).isEmpty();
            holder.kill();
            assertThat(rows.sinceTaken("job", "expires_at - clock_timestamp() + taken_at"))
                    .as("what it has left")
                    .isLessThanOrEqualTo(TTL);
            Await.until("taken over", () -> provider.lock(JOB).isPresent());
        }
    }

    @Test
    void theRestAfterAnUnlockOutlivesTheProcess() throws Exception {
        try (var holder = start(new Asked(HOUR, Duration.ofMinutes(30), Duration.ZERO))) {
            assertThat(holder.says()).isEqualTo("locked");
            holder.unlock();
            assertThat(holder.says()).isEqualTo("unlocked");
            holder.kill();
            assertThat(rows.holder("job")).isEqualTo("-");
            assertThat(rows.sinceTaken("job", "expires_at")).isGreaterThanOrEqualTo(Duration.ofMinutes(30));
            assertThat(provider.lock(JOB)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-72H", "PT72H"})
    void aWrongClockOfShedLockChangesNothing(String ahead) throws Exception {
        var atMost = TTL.plusSeconds(1);
        var asked = new Asked(atMost, Duration.ZERO, Duration.parse(ahead));
        var lock = provider.lock(JOB).orElseThrow();
        try (var refused = start(asked)) {
            assertThat(refused.says()).isEqualTo("busy");
        }
        lock.unlock();
        try (var holder = start(asked)) {
            assertThat(holder.says()).isEqualTo("locked");
            String first = rows.holder("job");
            Await.until("free", () -> {
                boolean isHeld = rows.holder("job").equals(first);
                assertThat(isHeld ? rows.sinceTaken("job", "expires_at") : Duration.ZERO)
                        .isLessThanOrEqualTo(atMost);
                return provider.lock(JOB).isPresent();
            });
            holder.unlock();
            assertThat(holder.says()).isEqualTo("unlocked");
            assertThat(rows.isLocked("job")).as("ours").isTrue();
        }
    }
}
