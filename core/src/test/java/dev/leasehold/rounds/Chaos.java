package dev.leasehold.rounds;

import dev.leasehold.rounds.ClusterNode.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Kills and freezes nodes at random and has them recover, over and over. How many are struck at a time, and how, comes out of
 * bags that are emptied before they are filled again, so that nothing is left to luck but the order.
 */
final class Chaos {

    private static final List<Integer> VICTIMS = List.of(1, 1, 1, 2, 2, 3);
    private static final List<Kind> KINDS = List.of(Kind.KILL, Kind.KILL, Kind.FREEZE, Kind.FREEZE);

    private final List<ClusterNode> nodes;
    private final Callable<Void> awaitAllReady;
    private final Random random;
    private final List<Integer> victims = new ArrayList<>();
    private final List<Kind> kinds = new ArrayList<>();
    private int outages;

    private record Victim(ClusterNode node, Kind kind, long downMillis) {}

    Chaos(List<ClusterNode> nodes, long seed, Callable<Void> awaitAllReady) {
        this.nodes = nodes;
        this.random = new Random(seed);
        this.awaitAllReady = awaitAllReady;
    }

    /** For that long and until it is enough, but no longer than twice that long; ends with all nodes ready. */
    void rage(Duration length, Callable<Boolean> isEnough) throws Exception {
        long start = System.nanoTime();
        while (isLess(start, length) || (isLess(start, length.multipliedBy(2)) && !isEnough.call())) {
            TimeUnit.MILLISECONDS.sleep(between(500, 3000));
            strike();
            awaitAllReady.call();
        }
    }

    private static boolean isLess(long startNanos, Duration length) {
        return System.nanoTime() - startNanos < length.toNanos();
    }

    /** How often all nodes were down at once. */
    int outages() {
        return outages;
    }

    private void strike() throws Exception {
        int count = draw(victims, VICTIMS);
        outages += count == nodes.size() ? 1 : 0;
        var order = new ArrayList<>(nodes);
        Collections.shuffle(order, random);
        var struck = new ArrayList<Victim>();
        for (ClusterNode node : order.subList(0, count)) {
            var victim = victim(node, draw(kinds, KINDS));
            node.strike(victim.kind());
            struck.add(victim);
        }
        struck.sort(Comparator.comparing(Victim::downMillis));
        long start = System.nanoTime();
        for (Victim victim : struck) {
            long downNanos = TimeUnit.MILLISECONDS.toNanos(victim.downMillis());
            TimeUnit.NANOSECONDS.sleep(downNanos - (System.nanoTime() - start));
            victim.node().recover(victim.kind());
        }
    }

    /** What is frozen outlasts its leases. */
    private Victim victim(ClusterNode node, Kind kind) {
        long leaseMillis = ClusterRound.TTL.toMillis();
        return new Victim(
                node,
                kind,
                switch (kind) {
                    case KILL -> between(0, 2000);
                    case FREEZE -> between(leaseMillis + 200, leaseMillis + 2000);
                });
    }

    private long between(long least, long most) {
        return least + random.nextInt((int) (most - least));
    }

    private <T> T draw(List<T> bag, List<T> full) {
        if (bag.isEmpty()) {
            bag.addAll(full);
            Collections.shuffle(bag, random);
        }
        return bag.remove(bag.size() - 1);
    }
}
