package dev.leasehold.micrometer;

import io.micrometer.core.instrument.Counter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** A counter for each of some constants, made at once so that each is there at zero. Thread-safe. */
final class CountersBy<E extends Enum<E>> {

    private final Map<E, Counter> counters;

    /**
     * @param counter makes the one with that value of its tag
     */
    CountersBy(Class<E> type, Set<E> constants, Function<String, Counter> counter) {
        this.counters = new EnumMap<>(type);
        for (E constant : constants) {
            counters.put(constant, counter.apply(constant.name().toLowerCase(Locale.ROOT)));
        }
    }

    void add(E constant, long count) {
        Objects.requireNonNull(counters.get(constant), constant::name).increment((double) count);
    }
}
