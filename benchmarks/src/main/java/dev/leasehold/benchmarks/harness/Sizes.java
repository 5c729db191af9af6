package dev.leasehold.benchmarks.harness;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds how often each subject is measured; the median counts
 * @param warmUps how often each is run before that, for nothing
 * @param names how many names each thread goes through in turn
 * @param attempts how many single attempts are timed in a round
 * @param window how long a round counts what is done in it
 * @param herds how many herds there are in a round
 * @param held how many leases are held when renewal is measured
 * @param periods how many renewal periods are counted
 * @param cycles how many acquisitions and releases the table goes through before its size is taken
 * @param ttl how long a holder that dies keeps its name
 */
public record Sizes(
        int rounds,
        int warmUps,
        int names,
        int attempts,
        Duration window,
        int herds,
        List<Integer> held,
        int periods,
        int cycles,
        Duration ttl) {

    public static Sizes full() {
        return new Sizes(
                41, 8, 32, 40, Duration.ofMillis(150), 5, List.of(1, 100, 1_000, 10_000), 3, 200_000, seconds(5));
    }

    public static Sizes quick() {
        return new Sizes(15, 5, 32, 40, Duration.ofMillis(60), 5, List.of(1, 100, 1_000, 10_000), 2, 5_000, seconds(2));
    }

    /** For the test that only asks whether all of it works. */
    public static Sizes tiny() {
        return new Sizes(1, 0, 8, 5, Duration.ofMillis(30), 2, List.of(1, 20), 1, 50, seconds(1));
    }

    public Sizes withRounds(int rounds) {
        return new Sizes(rounds, warmUps, names, attempts, window, herds, held, periods, cycles, ttl);
    }

    public Sizes withCycles(int cycles) {
        return new Sizes(rounds, warmUps, names, attempts, window, herds, held, periods, cycles, ttl);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
