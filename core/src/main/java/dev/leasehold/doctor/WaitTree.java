package dev.leasehold.doctor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Who waits for whom, as lines of a tree: below each session those that wait for it. Not thread-safe. */
final class WaitTree {

    /**
     * One session in the tree.
     *
     * @param depth 0 for one that waits for nobody
     * @param isRepeat whether it stands above already, with those below it
     */
    record Line(int depth, int pid, boolean isRepeat) {}

    private static final Comparator<Wait> LONGEST_FIRST =
            Comparator.comparing(Wait::age).reversed().thenComparing(Wait::pid);

    private final Map<Integer, Wait> waits = new HashMap<>();
    private final Map<Integer, List<Wait>> below = new HashMap<>();
    private final NavigableSet<Integer> roots = new TreeSet<>();
    private final Set<Integer> told = new HashSet<>();
    private final List<Line> lines = new ArrayList<>();

    private WaitTree() {}

    /** Of those that wait for that long at least, and of whom they wait for. */
    static WaitTree of(List<Wait> all, Duration shortest) {
        var tree = new WaitTree();
        all.stream()
                .filter(wait -> !wait.blockers().isEmpty())
                .forEach(wait -> tree.waits.putIfAbsent(wait.pid(), wait));
        tree.leaveOutWhatHasNoPartIn(shortest);
        List<Wait> longestFirst =
                tree.waits.values().stream().sorted(LONGEST_FIRST).toList();
        for (Wait wait : longestFirst) {
            for (int blocker : tree.nearest(wait)) {
                tree.below.computeIfAbsent(blocker, pid -> new ArrayList<>()).add(wait);
            }
        }
        tree.roots.forEach(tree::grow);
        // what is left waits in a circle: it has no root, and any of it will do
        longestFirst.forEach(wait -> {
            if (!tree.told.contains(wait.pid())) {
                tree.grow(wait.pid());
            }
        });
        return tree;
    }

    private void leaveOutWhatHasNoPartIn(Duration shortest) {
        var part = new HashSet<Integer>();
        var open = new ArrayDeque<Integer>();
        waits.values().stream()
                .filter(wait -> wait.age().compareTo(shortest) >= 0)
                .forEach(wait -> open.add(wait.pid()));
        while (!open.isEmpty()) {
            int pid = open.pop();
            Wait wait = waits.get(pid);
            if (part.add(pid) && wait != null) {
                open.addAll(wait.blockers());
            }
        }
        waits.keySet().retainAll(part);
        part.stream().filter(pid -> !waits.containsKey(pid)).forEach(roots::add);
    }

    /**
     * Whoever queues for a lock waits for its holder and for all that came before. Below the holder they stand side by side: a
     * blocker that waits for another blocker of the same session is left out.
     */
    private Collection<Integer> nearest(Wait wait) {
        var all = new HashSet<>(wait.blockers());
        List<Integer> nearest =
                all.stream().filter(blocker -> !waitsForOneOf(blocker, all)).toList();
        return nearest.isEmpty() ? all : nearest;
    }

    private boolean waitsForOneOf(int pid, Set<Integer> others) {
        Wait wait = waits.get(pid);
        return wait != null && wait.blockers().stream().anyMatch(others::contains);
    }

    private void grow(int root) {
        var open = new ArrayDeque<>(List.of(new Line(0, root, false)));
        while (!open.isEmpty()) {
            Line next = open.pop();
            boolean isRepeat = !told.add(next.pid());
            lines.add(new Line(next.depth(), next.pid(), isRepeat));
            List<Wait> waiting = isRepeat ? List.of() : below.getOrDefault(next.pid(), List.of());
            for (int i = waiting.size() - 1; i >= 0; i--) {
                open.push(new Line(next.depth() + 1, waiting.get(i).pid(), false));
            }
        }
    }

    /** Those that wait for nobody: {@link Wait#PREPARED} may be among them. */
    NavigableSet<Integer> roots() {
        return roots;
    }

    List<Wait> waits() {
        return List.copyOf(waits.values());
    }

    List<Line> lines() {
        return lines;
    }
}
