package dev.leasehold.shedlock;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import net.javacrumbs.shedlock.support.ShortKeepAlive;

/** A process that locks "job" once, says whether it has it, and unlocks it at the first line it reads. */
final class LockMain {

    static final Duration TTL = Duration.ofSeconds(4);

    private static final int TRIES = 10;

    private LockMain() {}

    public static void main(String[] arguments) throws IOException {
        ClockProvider.setClock(Clock.offset(Clock.systemUTC(), Duration.parse(arguments[4])));
        var source = TestDatabase.dataSource(arguments[0]);
        LockProvider provider = switch (Maker.valueOf(arguments[1])) {
            case LEASEHOLD ->
                LeaseholdLockProvider.on(Leases.on(source).ttl(TTL).build());
            case JDBC -> JdbcLocks.on(source);
            case JDBC_KEPT_ALIVE ->
                ShortKeepAlive.of(JdbcLocks.on(source), Executors.newSingleThreadScheduledExecutor());
        };
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Optional<SimpleLock> lock = answered(
                provider,
                new LockConfiguration(
                        ClockProvider.now(), "job", Duration.parse(arguments[2]), Duration.parse(arguments[3])));
        System.out.println(lock.isPresent() ? "locked" : "busy");
        if (lock.isPresent() && input.readLine() != null) {
            lock.get().unlock();
            System.out.println("unlocked");
        }
    }

    /** The first statements of a JVM take their time. */
    private static Optional<SimpleLock> answered(LockProvider provider, LockConfiguration configuration) {
        for (int i = 1; ; i++) {
            try {
                return provider.lock(configuration);
            } catch (LockException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Whose locks. */
    enum Maker {
        LEASEHOLD,
        JDBC,
        JDBC_KEPT_ALIVE
    }
}
