package dev.leasehold.shedlock;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.test.support.FuzzTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ShedLock's fuzz test, over several instances that know of each other only by the table. */
class FuzzAcrossInstancesTest {

    /** Threads increment a plain number under the lock; one that overlaps with another loses an increment. */
    private static void fuzz(Duration lockAtMostFor, boolean isLimited) throws Exception {
        var source = TestPostgres.freshDatabase().dataSource();
        try (var first = Leases.on(source).ttl(Duration.ofSeconds(10)).build();
                var second = Leases.on(source).ttl(Duration.ofSeconds(10)).build();
                var third = Leases.on(source).ttl(Duration.ofSeconds(10)).build()) {
            var all = List.of(provider(first, isLimited), provider(second, isLimited), provider(third, isLimited));
            var turn = new AtomicInteger();
            LockProvider oneAfterTheOther = lock ->
                    all.get(Math.floorMod(turn.getAndIncrement(), all.size())).lock(lock);
            new FuzzTester(oneAfterTheOther, Duration.ofMillis(1), lockAtMostFor, 30).doFuzzTest();
        }
    }

    private static LockProvider provider(Leases leases, boolean isLimited) {
        var provider = LeaseholdLockProvider.on(leases);
        return isLimited ? provider : provider.renewedUntilUnlock();
    }

    /** Longer than a ttl, and shorter. */
    @ParameterizedTest
    @ValueSource(strings = {"PT5M", "PT8S"})
    void noIncrementIsLost(String lockAtMostFor) throws Exception {
        fuzz(Duration.parse(lockAtMostFor), true);
    }

    @Test
    void noIncrementIsLostByLocksWithoutALimit() throws Exception {
        fuzz(Duration.ofMinutes(5), false);
    }
}
