package dev.leasehold.doctor;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Which values of which settings bite, and how. The defaults of a server do not. */
final class SettingRules {

    /** Below it a time-out ends what is normal: a renewal that waits for the disk, a pause of a garbage collector. */
    static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(5);

    /** Below it even a lock that is held by a healthy short transaction is an error. */
    static final Duration SHORTEST_LOCK_TIMEOUT = Duration.ofMillis(100);

    /** Twice the half hour after which pools, by their defaults, end a connection themselves. */
    static final Duration IDLE_SESSION_OF_POOLS = Duration.ofHours(1);

    /**
     * What a value does.
     *
     * @param harmless a value that does not
     */
    record Bite(Severity severity, String meaning, String harmless) {}

    private static final Map<String, Function<Setting, Optional<Bite>>> RULES = new TreeMap<>(Map.ofEntries(
            timeout(
                    "idle_session_timeout",
                    IDLE_SESSION_OF_POOLS,
                    "The server ends sessions that are idle for that long, and an idle connection of a pool is one: the pool"
                            + " must end it sooner by itself, or its borrower meets a broken connection. Session-level"
                            + " advisory locks go with it, and nobody is told."),
            timeout(
                    "statement_timeout",
                    SHORTEST_TIMEOUT,
                    "A statement that takes longer fails with 57014, also one that only waits: migrations, vacuum, and when"
                            + " it is very short the renewal of a lease."),
            timeout(
                    "lock_timeout",
                    SHORTEST_LOCK_TIMEOUT,
                    "A statement that waits longer for a lock fails with 55P03. That bounds how long one blocked statement"
                            + " keeps its connection; when it is very short, healthy contention fails too."),
            timeout(
                    "idle_in_transaction_session_timeout",
                    SHORTEST_TIMEOUT,
                    "A transaction that is idle for longer is ended together with its connection (25P03). When it is very"
                            + " short, a pause of a garbage collector or a remote call within a transaction is enough."),
            timeout(
                    "transaction_timeout",
                    SHORTEST_TIMEOUT,
                    "A transaction that is open for longer is ended together with its connection (25P04): migrations and"
                            + " reports, and when it is very short ordinary work."),
            rule(
                    "default_transaction_isolation",
                    "read committed",
                    value -> value.equals("read committed"),
                    Severity.RISK,
                    "Updates that meet each other fail with 40001, where they would wait at read committed: each"
                            + " transaction has to be tried again by the application. Leases set their own level."),
            rule(
                    "synchronous_commit",
                    "on",
                    value -> !isOff(value),
                    Severity.INFORMATION,
                    "A crash of the server loses the last commits that were reported as done. Leases set it on for their"
                            + " own transactions."),
            rule(
                    "autovacuum",
                    "on",
                    value -> !isOff(value),
                    Severity.RISK,
                    "Nothing removes dead rows: tables and indexes grow, and statements get slower."),
            rule(
                    "track_counts",
                    "on",
                    value -> !isOff(value),
                    Severity.RISK,
                    "Nothing is counted: autovacuum does not know which tables need it and leaves them alone."),
            rule(
                    "track_activities",
                    "on",
                    value -> !isOff(value),
                    Severity.RISK,
                    "What sessions do is not recorded: this look is blind for idle transactions and for what runs."),
            rule(
                    "fsync",
                    "on",
                    value -> !isOff(value),
                    Severity.RISK,
                    "A crash of the machine can leave the database corrupt, and leases that were acquired are forgotten."),
            Map.entry("default_transaction_read_only", SettingRules::readOnly)));

    private SettingRules() {}

    static Optional<Bite> judge(Setting setting) {
        return Optional.ofNullable(RULES.get(setting.name()))
                .flatMap(rule -> rule.apply(setting))
                .map(bite ->
                        setting.isInUse() ? bite : new Bite(Severity.INFORMATION, bite.meaning(), bite.harmless()));
    }

    private static Map.Entry<String, Function<Setting, Optional<Bite>>> timeout(
            String name, Duration shortest, String meaning) {
        return Map.entry(
                name,
                setting -> setting.timeout()
                        .map(timeout -> timeout.compareTo(shortest) < 0 ? Severity.RISK : Severity.INFORMATION)
                        .map(severity -> new Bite(severity, meaning, "0")));
    }

    private static Map.Entry<String, Function<Setting, Optional<Bite>>> rule(
            String name, String harmless, Predicate<String> isHarmless, Severity severity, String meaning) {
        return Map.entry(
                name,
                setting -> isHarmless.test(setting.value())
                        ? Optional.empty()
                        : Optional.of(new Bite(severity, meaning, harmless)));
    }

    /** The session's own is {@link ReadOnlyCheck}'s; that a role only reads is what many roles are for. */
    private static Optional<Bite> readOnly(Setting setting) {
        return setting.isMine() || isOff(setting.value())
                ? Optional.empty()
                : Optional.of(new Bite(
                        Severity.INFORMATION,
                        "Transactions of those sessions are read-only unless they ask otherwise: writes fail with 25006.",
                        "off"));
    }

    /** A value of a role or database stands as it was given. */
    static boolean isOff(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "off", "false", "no", "0", "of", "f", "n" -> true;
            default -> false;
        };
    }
}
