package dev.leasehold.rounds;

import dev.leasehold.Leases;
import dev.leasehold.RunHistory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Describes the {@link Rounds} of one instance. Not thread-safe. */
public final class RoundsBuilder {

    private final Leases leases;
    private final Map<String, Round> rounds = new LinkedHashMap<>();
    private final List<RoundListener> listeners = new ArrayList<>();
    private RunLog history = new RunLog() {};
    private OptionalInt workers = OptionalInt.empty();
    private ThreadFactory threads = Workers.threads();
    private @Nullable String node;

    RoundsBuilder(Leases leases) {
        this.leases = Objects.requireNonNull(leases, "leases");
    }

    /** The node this instance runs on, 1 to 255 characters; instances of one node share it. Default the host name. */
    public RoundsBuilder node(String node) {
        Round.checkPart("node", node);
        this.node = node;
        return this;
    }

    /**
     * How many rounds may run, or look whether they are due, at a time on this instance; the others wait, first come first
     * served, and acquire nothing meanwhile. At least 1. Default: as many as there are.
     *
     * @throws IllegalArgumentException for less than 1
     */
    public RoundsBuilder workers(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("workers is " + most + ", but must be at least 1");
        }
        this.workers = OptionalInt.of(most);
        return this;
    }

    /**
     * Makes the threads that look and run. Default: virtual ones on Java 21 and later, else platform threads that keep no JVM
     * alive.
     */
    public RoundsBuilder threads(ThreadFactory threads) {
        this.threads = Objects.requireNonNull(threads, "threads");
        return this;
    }

    /** Adds a listener. */
    public RoundsBuilder listener(RoundListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Where the runs of these rounds are written down. Default: nowhere. */
    public RoundsBuilder history(RunHistory history) {
        this.history = new RoundHistory(Objects.requireNonNull(history, "history"));
        return this;
    }

    /**
     * Adds a round.
     *
     * @throws IllegalArgumentException if a round of that name was added before
     */
    public RoundsBuilder add(Round round) {
        if (rounds.putIfAbsent(round.name(), round) != null) {
            throw new IllegalArgumentException("round " + round.name() + " was added twice");
        }
        return this;
    }

    /** Starts all rounds; each looks at once whether it is due. May be called again after the rounds were stopped. */
    public Rounds start() {
        var stopping = new AtomicBoolean();
        var interrupting = new AtomicBoolean();
        var timer = new RoundTimer();
        return new Rounds(
                loops(timer, stopping, interrupting), timer, Workers.of(workers, threads), stopping, interrupting);
    }

    /** The same rounds, which do nothing by themselves: for tests, which drive them without waiting. */
    public ManualRounds byHand() {
        var timer = new RoundTimer();
        var closed = new AtomicBoolean();
        return new ManualRounds(loops(timer, closed, new AtomicBoolean()), leases, timer, closed);
    }

    private List<RoundLoop> loops(RoundTimer timer, AtomicBoolean stopping, AtomicBoolean interrupting) {
        var wiring = new RoundWiring(
                leases,
                node == null ? hostName() : node,
                timer,
                new LookLog(),
                history,
                new RoundListeners(listeners),
                workers.isPresent(),
                stopping::get,
                interrupting::get);
        return rounds.values().stream()
                .map(round -> new RoundLoop(round, wiring))
                .toList();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("this host does not know its own name: name the node by node(...)", e);
        }
    }
}
