package dev.leasehold.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Measures several things in turn, each once a round, in an order shuffled anew each round: what slows the machine for a
 * while slows all of them. On a slow disk there are fewer rounds.
 */
public final class Rounds {

    private static final int FEWEST = 3;

    private final int rounds;
    private final int warmUps;
    private final Duration longest;
    private final Random random;
    private final Progress progress;

    public Rounds(Sizes sizes, long seed, Progress progress) {
        this.rounds = sizes.rounds();
        this.warmUps = sizes.warmUps();
        this.longest = sizes.longest();
        this.random = new Random(seed);
        this.progress = progress;
    }

    public Medians measure(String what, List<Cell> cells) throws Exception {
        return measure(what, cells, warmUps, rounds);
    }

    /** A fraction of the rounds, for what takes long. */
    public Medians measureLess(String what, List<Cell> cells, int fraction) throws Exception {
        return measure(what, cells, Math.min(1, warmUps), Math.max(1, rounds / fraction));
    }

    /** A multiple of the rounds, for what is done in a moment: the shorter a round, the more alike what it finds. */
    public Medians measureMore(String what, List<Cell> cells, int factor) throws Exception {
        return measure(what, cells, warmUps * factor, rounds * factor);
    }

    private Medians measure(String what, List<Cell> cells, int warmUps, int rounds) throws Exception {
        var medians = new Medians();
        long end = System.nanoTime() + longest.toNanos();
        for (int round = 1 - warmUps; round <= rounds && (round <= FEWEST || System.nanoTime() - end < 0); round++) {
            if (round == 1 - warmUps || round == 1 || round % Math.max(10, rounds / 4) == 0) {
                progress.say(what + ": " + (round < 1 ? "warm-up" : "round " + round + " of " + rounds));
            }
            var shuffled = new ArrayList<>(cells);
            Collections.shuffle(shuffled, random);
            for (Cell cell : shuffled) {
                take(cell, round, medians);
            }
        }
        return medians;
    }

    private static void take(Cell cell, int round, Medians medians) throws Exception {
        try {
            var figures = cell.sample().take();
            if (round >= 1) {
                medians.add(cell.row(), figures);
            }
        } catch (Exception e) {
            throw new IllegalStateException(cell.row() + " could not be measured: " + e, e);
        }
    }
}
