package dev.leasehold;

import dev.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** A process that tries for one lease until it is answered, or for the hour's slot of a name that begins so, says what came of it and by which clock, and then stays if it holds it. */
final class AcquireOnceMain {

    /** Its first line. */
    static final String STARTED = "started";

    static final String HOURLY = "hourly ";

    /** Not a grid: the instants that are sent are guessed by this process's clock. */
    static final Schedule ON_THE_HOUR = Schedule.of(
            "on the hour", after -> after.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS));

    private static final int TRIES = 10;

    private AcquireOnceMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(STARTED);
        var leases = Leases.on(TestDatabase.dataSource(arguments[0]))
                .ttl(Duration.parse(arguments[2]))
                .build();
        String name = arguments[1];
        Acquisition attempt = answered(leases, name);
        boolean acquired = attempt.lease().isPresent();
        System.out.println((acquired ? "acquired " : "busy ") + Instant.now());
        if (acquired) {
            TimeUnit.MINUTES.sleep(1);
        }
    }

    /** The first statements of a JVM take their time. */
    private static Acquisition answered(Leases leases, String name) {
        for (int i = 1; ; i++) {
            try {
                return name.startsWith(HOURLY)
                        ? leases.tryAcquireSlot(new SlotRequest(name, ON_THE_HOUR, Stamp.AT_ACQUIRE))
                        : leases.tryAcquire(name);
            } catch (LeaseException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }
}
