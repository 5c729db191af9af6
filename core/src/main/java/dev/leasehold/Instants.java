package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Slots by a function that answers the first instant after a given one. Thread-safe if the function is.
 *
 * <p>The database, whose clock decides, is sent a few of them around its time and picks the last that has come.
 */
public final class Instants implements Schedule {

    private static final int FEWEST_AHEAD = 6;
    private static final int MOST_AHEAD = 64;
    private static final Duration SHORTEST_LOOK_BACK = Duration.ofSeconds(1);
    /** A power of two; longer than eight years, which lie between two 29ths of February around a century that has none. */
    private static final Duration LONGEST_LOOK_BACK = Duration.ofSeconds(1L << 28);

    /** PostgreSQL and Java agree on how to write what is earlier. */
    private static final Instant TOO_LATE = Instant.parse("9999-01-01T00:00:00Z");

    private final String description;
    private final UnaryOperator<@Nullable Instant> following;

    Instants(String description, UnaryOperator<@Nullable Instant> following) {
        this.description = Objects.requireNonNull(description, "description");
        this.following = Objects.requireNonNull(following, "following");
    }

    /**
     * {@inheritDoc} In whole microseconds, as PostgreSQL keeps them.
     *
     * @throws IllegalStateException if the function answers an instant that is not later
     */
    @Override
    public Optional<Instant> next(Instant after) {
        Optional<Instant> next = following(after);
        while (next.isPresent() && !next.get().truncatedTo(ChronoUnit.MICROS).isAfter(after)) {
            next = following(next.get()); // it lies in the same microsecond
        }
        return next.map(instant -> instant.truncatedTo(ChronoUnit.MICROS));
    }

    private Optional<Instant> following(Instant after) {
        Instant next = following.apply(after);
        if (next == null) {
            return Optional.empty();
        }
        if (!next.isAfter(after)) {
            throw new IllegalStateException(
                    "schedule " + description + " answered " + next + ", which is not after " + after);
        }
        return Optional.of(next).filter(instant -> instant.isBefore(TOO_LATE));
    }

    /**
     * Some instants around a time.
     *
     * @param isFirst whether there is none before them
     * @param isLast whether there is none after them
     */
    record Window(List<Instant> instants, boolean isFirst, boolean isLast) {}

    /**
     * The last instant that has come by then, if there is one, and some that follow it: beyond that time from then, unless they
     * lie too close together.
     */
    Window around(Instant now, Duration ahead) {
        Instant until = now.plus(ahead);
        var instants = new ArrayList<Instant>();
        Optional<Instant> last = lastUntil(now);
        last.ifPresent(instants::add);
        Optional<Instant> next = next(now);
        Instant farthest = now;
        for (int i = 0; next.isPresent() && (i < FEWEST_AHEAD || (i < MOST_AHEAD && !farthest.isAfter(until))); i++) {
            farthest = next.get();
            instants.add(farthest);
            next = next(next.get());
        }
        return new Window(List.copyOf(instants), last.isEmpty(), next.isEmpty());
    }

    /** Looks back in ever longer steps until there is one, and halves the step until it is the last. */
    private Optional<Instant> lastUntil(Instant now) {
        Optional<Instant> found = Optional.empty();
        Instant beyond = now;
        for (Duration back = SHORTEST_LOOK_BACK;
                found.isEmpty() && back.compareTo(LONGEST_LOOK_BACK) <= 0;
                back = back.multipliedBy(2)) {
            found = firstAfter(now.minus(back), now);
            if (found.isEmpty()) {
                beyond = now.minus(back);
            }
        }
        while (found.isPresent() && firstAfter(found.get(), now).isPresent()) {
            Instant from = found.get();
            Instant middle = from.plus(Duration.between(from, beyond).dividedBy(2));
            Optional<Instant> later = firstAfter(middle, now);
            if (later.isPresent()) {
                found = later;
            } else {
                beyond = middle;
                found = firstAfter(from, now);
            }
        }
        return found;
    }

    private Optional<Instant> firstAfter(Instant after, Instant notAfter) {
        return next(after).filter(instant -> !instant.isAfter(notAfter));
    }

    @Override
    public String toString() {
        return description;
    }
}
