package dev.leasehold.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Who waits for whom, as lines of a tree: below each session those that wait for it. Not thread-safe. */
final class WaitTree {

    /**
     * One session in the tree.
     *
     * @param depth 0 for one that waits for nobody
     * @param isRepeat whether it stands above already, with those below it
     */
    record Line(int depth, int pid, boolean isRepeat) {}

    private final Map<Integer, Wait> waits;
    private final NavigableSet<Integer> roots = new TreeSet<>();
    private final Set<Integer> told = new HashSet<>();
    private final List<Line> lines = new ArrayList<>();

    private WaitTree(Map<Integer, Wait> waits) {
        this.waits = waits;
    }

    /** Of those that wait for that long at least, and of whom they wait for. */
    static WaitTree of(List<Wait> all, Duration shortest) {
        Map<Integer, Wait> byPid = all.stream()
                .filter(wait -> !wait.blockers().isEmpty())
                .collect(Collectors.toMap(Wait::pid, Function.identity(), (one, other) -> one));
        var tree = new WaitTree(byPid);
        return tree.grown(tree.relevant(shortest));
    }

    /**
     * Whoever queues for a lock waits for its holder and for all that came before. Below the holder they stand side by side: a
     * blocker that waits for another blocker of the same session is left out.
     */
    private boolean isBelow(Wait wait, int blocker) {
        if (!wait.blockers().contains(blocker)) {
            return false;
        }
        return !waitsForOneOf(blocker, wait.blockers())
                || wait.blockers().stream().allMatch(one -> waitsForOneOf(one, wait.blockers()));
    }

    private boolean waitsForOneOf(int pid, List<Integer> others) {
        Wait wait = waits.get(pid);
        return wait != null && wait.blockers().stream().anyMatch(others::contains);
    }

    private Set<Integer> relevant(Duration shortest) {
        var found = new HashSet<Integer>();
        waits.values().stream()
                .filter(wait -> wait.age().compareTo(shortest) >= 0)
                .forEach(wait -> follow(wait.pid(), found));
        return found;
    }

    private void follow(int pid, Set<Integer> found) {
        var open = new ArrayList<>(List.of(pid));
        while (!open.isEmpty()) {
            int next = open.remove(open.size() - 1);
            Wait wait = waits.get(next);
            if (found.add(next) && wait != null) {
                open.addAll(wait.blockers());
            }
        }
    }

    private WaitTree grown(Set<Integer> relevant) {
        waits.keySet().retainAll(relevant);
        relevant.stream().filter(pid -> !waits.containsKey(pid)).forEach(roots::add);
        roots.forEach(root -> grow(root, 0));
        // what is left waits in a circle: it has no root, and any of it will do
        waits.values().stream()
                .sorted(Comparator.comparing(Wait::age).reversed().thenComparing(Wait::pid))
                .filter(wait -> !told.contains(wait.pid()))
                .forEach(wait -> grow(wait.pid(), 0));
        return this;
    }

    private void grow(int pid, int depth) {
        boolean isRepeat = !told.add(pid);
        lines.add(new Line(depth, pid, isRepeat));
        if (isRepeat) {
            return;
        }
        waits.values().stream()
                .filter(wait -> isBelow(wait, pid))
                .sorted(Comparator.comparing(Wait::age).reversed().thenComparing(Wait::pid))
                .forEach(wait -> grow(wait.pid(), depth + 1));
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
