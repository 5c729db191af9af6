package dev.leasehold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Describes a {@link Holding}; every setting has a default. Not thread-safe. */
public final class HoldingBuilder {

    private static final Duration SHORTEST_LOOK = Duration.ofMillis(50);

    private final String name;
    private final LeaseTerms terms;
    private final Function<HoldingBuilder, Holding> starting;
    private final List<LeaseListener> listeners = new ArrayList<>();
    private Duration lookEvery;

    HoldingBuilder(String name, LeaseTerms terms, Function<HoldingBuilder, Holding> starting) {
        this.name = LeaseName.check(name);
        this.terms = terms;
        this.starting = starting;
        this.lookEvery = terms.renewEvery();
    }

    /**
     * How often it looks whether the lease is free, while another holds it: 50 ms to the ttl. A lease that would end before
     * the next look is looked at when it ends. Default as often as leases are renewed.
     *
     * @throws IllegalArgumentException for another value; names it and the rule
     */
    public HoldingBuilder lookEvery(Duration lookEvery) {
        if (lookEvery.compareTo(SHORTEST_LOOK) < 0 || lookEvery.compareTo(terms.ttl()) > 0) {
            throw new IllegalArgumentException(
                    "lookEvery is " + lookEvery + ", but must be 50 ms to the ttl, " + terms.ttl());
        }
        this.lookEvery = lookEvery;
        return this;
    }

    /**
     * Adds a listener that is told of the leases of this holding alone, on a thread of this holding: one that hangs keeps
     * later events from the listeners of this holding, and nothing from anybody else.
     */
    public HoldingBuilder listener(LeaseListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Starts it: it looks at once.
     *
     * @throws LeaseException if the leases are closed
     */
    public Holding start() {
        return starting.apply(this);
    }

    String name() {
        return name;
    }

    Duration lookEvery() {
        return lookEvery;
    }

    List<LeaseListener> listeners() {
        return List.copyOf(listeners);
    }
}
