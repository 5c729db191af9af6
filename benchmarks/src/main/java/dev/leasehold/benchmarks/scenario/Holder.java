package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.benchmarks.subject.Subjects;
import java.io.IOException;
import java.time.Duration;

/** A process that acquires a name and holds it until it is killed, or whoever started it is gone. */
final class Holder {

    static final String HELD = "held";

    private Holder() {}

    /** Label of the subject, URL, ttl in milliseconds, name. */
    public static void main(String[] arguments) throws Exception {
        Subject subject = Subjects.labelled(arguments[0]);
        Duration ttl = Duration.ofMillis(Long.parseLong(arguments[2]));
        try (HikariDataSource pool = Bench.poolOf(arguments[1]);
                Contender contender = subject.contender(pool, ttl)) {
            Hold hold = contender.tryAcquire(arguments[3]).orElseThrow();
            endWithParent();
            System.out.println(HELD);
            while (true) {
                Thread.sleep(ttl.toMillis() / 4);
                if (!subject.renewsByItself()) {
                    hold.renew();
                }
            }
        }
    }

    private static void endWithParent() {
        var watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // only the end matters
                }
            } catch (IOException e) {
                // that is the end, too
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
