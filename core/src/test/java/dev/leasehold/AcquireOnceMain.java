package dev.leasehold;

import dev.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** A process that tries once for one lease, says what came of it and by which clock, and then stays if it holds it. */
final class AcquireOnceMain {

    private AcquireOnceMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        var leases = Leases.on(TestDatabase.dataSource(arguments[0]))
                .ttl(Duration.parse(arguments[2]))
                .build();
        boolean acquired = leases.tryAcquire(arguments[1]).lease().isPresent();
        System.out.println((acquired ? "acquired " : "busy ") + Instant.now());
        if (acquired) {
            TimeUnit.MINUTES.sleep(1);
        }
    }
}
