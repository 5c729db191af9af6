package dev.leasehold.rounds;

import dev.leasehold.Grid;
import dev.leasehold.LeaseName;
import dev.leasehold.LossPolicy;
import dev.leasehold.Schedule;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Work that runs once per slot of a schedule, in the whole cluster or on each node. Immutable. */
public final class Round {

    private static final int MAX_NAME_CHARACTERS = 255;
    private static final int MOST_SHOWN = 60;
    private static final Duration LONGEST_TENTH = Duration.ofMinutes(1);

    private final String name;
    private final Schedule schedule;
    private final Scope scope;
    private final Promise promise;
    private final LossPolicy lossPolicy;
    private final Optional<Duration> runTimeout;
    private final Optional<Duration> retryAfter;
    private final int deathLimit;
    private final RoundWork work;

    private Round(Builder described, Schedule schedule, Promise promise, RoundWork work) {
        this.name = described.name;
        this.schedule = schedule;
        this.scope = described.scope;
        this.promise = promise;
        this.lossPolicy = described.lossPolicy;
        this.runTimeout = Optional.ofNullable(described.runTimeout);
        this.retryAfter = Optional.ofNullable(described.retryAfter);
        this.deathLimit = described.deathLimit;
        this.work = Objects.requireNonNull(work, "work");
    }

    private Round(Round other, RoundWork work) {
        this.name = other.name;
        this.schedule = other.schedule;
        this.scope = other.scope;
        this.promise = other.promise;
        this.lossPolicy = other.lossPolicy;
        this.runTimeout = other.runTimeout;
        this.retryAfter = other.retryAfter;
        this.deathLimit = other.deathLimit;
        this.work = Objects.requireNonNull(work, "work");
    }

    /** Starts to describe a round; {@link Builder#work} or {@link Builder#workInTransaction} ends it. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** 1 to 255 characters without {@code @}, not blank. */
    public String name() {
        return name;
    }

    /** When it falls due. */
    public Schedule schedule() {
        return schedule;
    }

    /** Among whom it is exclusive. */
    public Scope scope() {
        return scope;
    }

    /** What is promised about the runs of a slot. */
    public Promise promise() {
        return promise;
    }

    /** What happens to a run whose lease is lost. */
    public LossPolicy lossPolicy() {
        return lossPolicy;
    }

    /** After how long a run is interrupted. */
    public Optional<Duration> runTimeout() {
        return runTimeout;
    }

    /**
     * After how long a slot whose run failed is tried again; empty if it counts all the same, or, with {@link
     * Promise#EXACTLY_ONCE}, after a tenth of the period, a minute at most.
     */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** How many holders in a row may die before a slot counts as failed. */
    public int deathLimit() {
        return deathLimit;
    }

    /** What it does. */
    public RoundWork work() {
        return work;
    }

    /**
     * The same round with other work, for what is to be done around {@link #work()}. Of a round that promises {@link
     * Promise#EXACTLY_ONCE} the new work runs the old one, or finishes the lease itself.
     */
    public Round withWork(RoundWork other) {
        return new Round(this, other);
    }

    /** The name of its lease on that node. */
    public String leaseName(String node) {
        return switch (scope) {
            case CLUSTER -> name;
            case NODE -> name + "@" + node;
        };
    }

    /** The tenth of the period, a minute at most. */
    static Duration tenth(Schedule schedule) {
        Duration tenth = schedule instanceof Grid grid ? grid.period().dividedBy(10) : LONGEST_TENTH;
        return tenth.compareTo(LONGEST_TENTH) < 0 ? tenth : LONGEST_TENTH;
    }

    static void checkPart(String what, String value) {
        Objects.requireNonNull(value, what);
        int characters = value.codePointCount(0, value.length());
        if (value.isBlank() || characters > MAX_NAME_CHARACTERS) {
            String shown = characters > MOST_SHOWN
                    ? value.substring(0, value.offsetByCodePoints(0, MOST_SHOWN)) + "..."
                    : value;
            throw new IllegalArgumentException(what + " is \"" + shown + "\", with " + characters
                    + " characters, but must have 1 to " + MAX_NAME_CHARACTERS + ", not blank");
        }
        LeaseName.check(value);
    }

    @Override
    public String toString() {
        return "Round[" + name + ", " + schedule + ", " + scope + ", " + promise + "]";
    }

    /** Describes a round: at least its schedule and its work. Not thread-safe. */
    public static final class Builder {

        private static final Duration LONGEST = Duration.ofDays(366);
        private static final int DEFAULT_DEATH_LIMIT = 3;

        private final String name;
        private @Nullable Duration period;
        private @Nullable Duration offset;
        private boolean isSpread;
        private @Nullable Schedule schedule;
        private Scope scope = Scope.CLUSTER;
        private @Nullable Promise promise;
        private LossPolicy lossPolicy = LossPolicy.GO_ON;
        private @Nullable Duration runTimeout;
        private @Nullable Duration retryAfter;
        private int deathLimit = DEFAULT_DEATH_LIMIT;

        Builder(String name) {
            checkPart("the name of a round", name);
            if (name.indexOf('@') >= 0) {
                throw new IllegalArgumentException("the name of a round is \"" + name
                        + "\", but must not contain @, which separates it from the node");
            }
            this.name = name;
        }

        /** The time from slot to slot, 1 ms to 366 days, in whole microseconds. */
        public Builder every(Duration period) {
            this.period = Objects.requireNonNull(period, "period");
            return this;
        }

        /** Moves the slots of {@link #every}, by less than the period. Default zero. */
        public Builder offset(Duration offset) {
            this.offset = Objects.requireNonNull(offset, "offset");
            return this;
        }

        /** Moves the slots of {@link #every} by what the round's name makes of it: {@link Grid#spread}. */
        public Builder spread() {
            this.isSpread = true;
            return this;
        }

        /** Other slots than those of {@link #every}. */
        public Builder schedule(Schedule schedule) {
            this.schedule = Objects.requireNonNull(schedule, "schedule");
            return this;
        }

        /** Default {@link Scope#CLUSTER}. */
        public Builder scope(Scope scope) {
            this.scope = Objects.requireNonNull(scope, "scope");
            return this;
        }

        /** Default {@link Promise#AT_LEAST_ONCE}. */
        public Builder promise(Promise promise) {
            this.promise = Objects.requireNonNull(promise, "promise");
            return this;
        }

        /** Default {@link LossPolicy#GO_ON}. */
        public Builder onLoss(LossPolicy lossPolicy) {
            this.lossPolicy = Objects.requireNonNull(lossPolicy, "lossPolicy");
            return this;
        }

        /**
         * Interrupts a run that takes longer; its lease is kept until it ends. On a virtual thread an interrupt also closes a
         * socket that the work waits for. Work that returns all the same, late, was done: its run is {@link RoundOutcome#DONE}, its
         * slot counts, and a warning in the log is all that tells. More than zero, at most 366 days. Default none.
         */
        public Builder runTimeout(Duration runTimeout) {
            this.runTimeout = Objects.requireNonNull(runTimeout, "runTimeout");
            return this;
        }

        /**
         * Tries a slot again whose run threw or timed out, that long after its end, on any instance; the next slot's run
         * takes its place if that comes first. More than zero, less than the period. Default: not at all, the slot counts;
         * but with {@link Promise#EXACTLY_ONCE} no slot counts without its commit, and it is tried again after a tenth of the
         * period, a minute at most.
         */
        public Builder retryAfter(Duration retryAfter) {
            this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter");
            return this;
        }

        /**
         * How many holders in a row may die in mid-run; the next one counts its slot as failed without a run, so that work that
         * kills its JVM does not kill them all one after the other for ever. At least 1. Default 3.
         */
        public Builder deathLimit(int deathLimit) {
            this.deathLimit = deathLimit;
            return this;
        }

        /**
         * The round, complete.
         *
         * @throws IllegalArgumentException naming the value and the rule it breaks
         */
        public Round work(RoundWork work) {
            return new Round(this, checkedSchedule(), promise == null ? Promise.AT_LEAST_ONCE : promise, work);
        }

        /**
         * The round, complete, with the promise {@link Promise#EXACTLY_ONCE}: its work runs in a fenced transaction of the
         * leases' database, which counts the slot in the moment in which it commits. The server ends it when it is idle for longer
         * than the leases' ttl: see {@link TransactionWork}.
         *
         * @throws IllegalArgumentException naming the value and the rule it breaks, as a promise that was asked for and is another
         */
        public Round workInTransaction(TransactionWork work) {
            Objects.requireNonNull(work, "work");
            if (promise != null && promise != Promise.EXACTLY_ONCE) {
                throw wrong("promise is " + promise + ", but work in a transaction of ours is done exactly once");
            }
            return new Round(
                    this,
                    checkedSchedule(),
                    Promise.EXACTLY_ONCE,
                    context -> context.lease().runFenced(connection -> {
                        work.run(context, connection);
                        context.lease().finish(connection);
                    }));
        }

        private Schedule checkedSchedule() {
            Schedule checked = oneSchedule();
            checkBetween("runTimeout", runTimeout, LONGEST);
            checkBetween("retryAfter", retryAfter, LONGEST);
            if (retryAfter != null) {
                if (promise == Promise.AT_MOST_ONCE) {
                    throw wrong("retryAfter is " + retryAfter + ", but the promise AT_MOST_ONCE allows no second try");
                }
                if (checked instanceof Grid grid && retryAfter.compareTo(grid.period()) >= 0) {
                    throw wrong("retryAfter is " + retryAfter + ", but must be less than the period, " + grid.period());
                }
            }
            if (deathLimit < 1) {
                throw wrong("deathLimit is " + deathLimit + ", but must be at least 1");
            }
            return checked;
        }

        private Schedule oneSchedule() {
            if (schedule != null) {
                if (period != null || offset != null || isSpread) {
                    throw wrong("schedule is " + schedule
                            + ", but every, offset and spread describe another one: use one of the two");
                }
                return schedule;
            }
            if (period == null) {
                throw wrong("no period: call every(...) or schedule(...)");
            }
            if (isSpread && offset != null) {
                throw wrong("offset is " + offset + ", but spread() chooses another one: use one of the two");
            }
            if (isSpread) {
                return Grid.spread(period, name);
            }
            return new Grid(period, offset == null ? Duration.ZERO : offset);
        }

        private void checkBetween(String what, @Nullable Duration value, Duration most) {
            if (value != null && (value.compareTo(Duration.ZERO) <= 0 || value.compareTo(most) > 0)) {
                throw wrong(what + " is " + value + ", but must be more than zero, at most " + most.toDays() + " days");
            }
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("round " + name + ": " + what);
        }
    }
}
