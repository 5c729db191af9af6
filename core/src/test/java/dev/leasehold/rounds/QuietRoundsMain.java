package dev.leasehold.rounds;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;

/** A process that takes part in a quick round until its input ends. */
final class QuietRoundsMain {

    private QuietRoundsMain() {}

    public static void main(String[] arguments) throws IOException {
        try (var leases = Leases.on(TestDatabase.dataSource(arguments[0])).build();
                var rounds = Rounds.on(leases)
                        .node(arguments[1])
                        .add(Round.named("quick").every(Duration.ofMillis(100)).work(context -> {
                            if (arguments.length > 2) {
                                throw new IllegalStateException(arguments[2]);
                            }
                        }))
                        .start()) {
            int end = System.in.read();
            System.out.println("ended by " + end + " " + rounds.status());
        }
    }
}
