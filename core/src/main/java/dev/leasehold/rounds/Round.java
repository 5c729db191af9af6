package dev.leasehold.rounds;

import dev.leasehold.Grid;
import dev.leasehold.LeaseName;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work that runs once per slot of a grid, in the whole cluster or on each node. Immutable.
 *
 * @param name 1 to 255 characters without {@code @}
 * @param grid when it falls due
 * @param scope among whom it is exclusive
 * @param work what it does
 */
public record Round(String name, Grid grid, Scope scope, RoundWork work) {

    private static final int MAX_NAME_CHARACTERS = 255;

    public Round {
        checkPart("the name of a round", name);
        if (name.indexOf('@') >= 0) {
            throw new IllegalArgumentException("the name of a round is \"" + name
                    + "\", but must not contain @, which separates it from the node");
        }
        Objects.requireNonNull(grid, "grid");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(work, "work");
    }

    /** Starts to describe a round; {@link Builder#work} ends it. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** The name of its lease on that node. */
    String leaseName(String node) {
        return switch (scope) {
            case CLUSTER -> name;
            case NODE -> name + "@" + node;
        };
    }

    static void checkPart(String what, String value) {
        int characters = value.codePointCount(0, value.length());
        if (characters == 0 || characters > MAX_NAME_CHARACTERS) {
            throw new IllegalArgumentException(
                    what + " is \"" + value + "\", but must have 1 to " + MAX_NAME_CHARACTERS + " characters");
        }
        LeaseName.check(value);
    }

    /** Describes a round: at least its period and its work. Not thread-safe. */
    public static final class Builder {

        private final String name;
        private @Nullable Duration period;
        private Duration offset = Duration.ZERO;
        private Scope scope = Scope.CLUSTER;

        Builder(String name) {
            this.name = name;
        }

        /** The time from slot to slot, 1 ms to 366 days, in whole microseconds. */
        public Builder every(Duration period) {
            this.period = period;
            return this;
        }

        /** Moves the slots, by less than the period. Default zero. */
        public Builder offset(Duration offset) {
            this.offset = offset;
            return this;
        }

        /** Default {@link Scope#CLUSTER}. */
        public Builder scope(Scope scope) {
            this.scope = scope;
            return this;
        }

        /**
         * The round, complete.
         *
         * @throws IllegalArgumentException naming the value and the rule it breaks
         */
        public Round work(RoundWork work) {
            if (period == null) {
                throw new IllegalArgumentException("round " + name + " has no period: call every(...)");
            }
            return new Round(name, new Grid(period, offset), scope, work);
        }
    }
}
