package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which a round falls due, called its slots: a {@link Grid} of a fixed period, or any {@link Instants}.
 *
 * <p>Which of them has come is decided by the database's clock alone. Immutable.
 */
public sealed interface Schedule permits Grid, Instants {

    /** A grid without an offset. */
    static Grid every(Duration period) {
        return Grid.every(period);
    }

    /** A grid moved by an offset. */
    static Grid every(Duration period, Duration offset) {
        return new Grid(period, offset);
    }

    /**
     * The instants of a function, as of a cron expression with its zone. They are meant to lie a second or more apart: of those
     * that lie closer together, some may be passed over without being told as skipped, and so densely that an answer of the
     * database takes longer than 64 of them, no slot is due, which a warning tells.
     *
     * @param description what people call it, for logs; a cron expression and its zone, perhaps
     * @param following the first instant after the given one, or null if there is none. The same answers on all instances, at
     *     any time; called from several threads
     */
    static Instants of(String description, UnaryOperator<@Nullable Instant> following) {
        return new Instants(description, following);
    }

    /** The first slot after that instant; empty if there is none. */
    Optional<Instant> next(Instant after);
}
