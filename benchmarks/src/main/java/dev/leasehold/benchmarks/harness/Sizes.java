package dev.leasehold.benchmarks.harness;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds how often each subject is measured; the median counts
 * @param warmUps how often each is run before that, for nothing
 * @param longest after how long a scenario's rounds end anyway
 * @param names how many names each thread goes through in turn
 * @param attempts how many single attempts are timed in a round
 * @param window how long a round counts what is done in it
 * @param held how many leases are held when renewal is measured
 * @param heldByPeers of those, the most for who renews each by itself
 * @param longestPass after how long the renewal of those ends anyway
 * @param renewEvery how often ours are renewed then
 * @param periods how many renewal periods are watched
 * @param cycles how many acquisitions and releases the table goes through before its size is taken
 * @param longestCycling after how long that ends anyway
 * @param ttl how long a holder that dies keeps its name
 * @param deaths how often one dies
 */
public record Sizes(
        int rounds,
        int warmUps,
        Duration longest,
        int names,
        int attempts,
        Duration window,
        List<Integer> held,
        int heldByPeers,
        Duration longestPass,
        Duration renewEvery,
        int periods,
        int cycles,
        Duration longestCycling,
        Duration ttl,
        int deaths) {

    public static Sizes full() {
        return new Sizes(
                41,
                8,
                Duration.ofSeconds(80),
                32,
                40,
                Duration.ofMillis(100),
                List.of(1, 100, 1_000, 10_000),
                10_000,
                Duration.ofSeconds(8),
                Duration.ofMillis(500),
                6,
                20_000,
                Duration.ofSeconds(12),
                Duration.ofSeconds(5),
                3);
    }

    public static Sizes quick() {
        return new Sizes(
                11,
                4,
                Duration.ofSeconds(12),
                32,
                40,
                Duration.ofMillis(60),
                List.of(1, 100, 1_000, 10_000),
                1_000,
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                3,
                2_000,
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                1);
    }

    /** For the test that only asks whether all of it works. */
    public static Sizes tiny() {
        return new Sizes(
                1,
                0,
                Duration.ofMinutes(1),
                4,
                4,
                Duration.ofMillis(30),
                List.of(1, 20),
                20,
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                2,
                40,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                1);
    }

    public Sizes withRounds(int count) {
        return new Sizes(
                count,
                warmUps,
                longest,
                names,
                attempts,
                window,
                held,
                heldByPeers,
                longestPass,
                renewEvery,
                periods,
                cycles,
                longestCycling,
                ttl,
                deaths);
    }

    /** However long they take. */
    public Sizes withCycles(int count) {
        return new Sizes(
                rounds,
                warmUps,
                longest,
                names,
                attempts,
                window,
                held,
                heldByPeers,
                longestPass,
                renewEvery,
                periods,
                count,
                Duration.ofHours(1),
                ttl,
                deaths);
    }
}
