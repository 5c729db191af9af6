package dev.leasehold.rounds;

import dev.leasehold.Leases;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes the {@link Rounds} of one instance. Not thread-safe. */
public final class RoundsBuilder {

    private final Leases leases;
    private final Map<String, Round> rounds = new LinkedHashMap<>();
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

    /** Starts all rounds; each looks at once whether it is due. */
    public Rounds start() {
        return new Rounds(leases, node == null ? hostName() : node, List.copyOf(rounds.values()));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("this host does not know its own name: name the node by node(...)", e);
        }
    }
}
