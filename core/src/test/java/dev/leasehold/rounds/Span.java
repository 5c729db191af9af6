package dev.leasehold.rounds;

import dev.leasehold.Grid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A stretch of time, perhaps empty. */
record Span(Instant from, Instant to) {

    Duration length() {
        return Duration.between(from, to);
    }

    /** The slots that begin and end in this time. */
    List<Span> slots(Grid grid) {
        return Stream.iterate(
                        grid.next(from).orElseThrow(),
                        slot -> !slot.plus(grid.period()).isAfter(to),
                        slot -> slot.plus(grid.period()))
                .map(slot -> new Span(slot, slot.plus(grid.period())))
                .toList();
    }

    boolean contains(Instant moment) {
        return !moment.isBefore(from) && !moment.isAfter(to);
    }

    Span extendedBy(Duration more) {
        return new Span(from, to.plus(more));
    }

    /** What the others leave of this one, in order. */
    List<Span> without(List<Span> others) {
        var left = new ArrayList<Span>();
        Instant at = from;
        for (Span other :
                others.stream().sorted(Comparator.comparing(Span::from)).toList()) {
            if (other.from().isAfter(at)) {
                left.add(new Span(at, earlier(other.from(), to)));
            }
            at = later(at, other.to());
            if (!at.isBefore(to)) {
                return left;
            }
        }
        left.add(new Span(at, to));
        return left;
    }

    /** The length of the longest; zero without any. */
    static Duration longest(List<Span> spans) {
        return spans.stream().map(Span::length).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
