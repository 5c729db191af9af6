package dev.leasehold.watch.alerts;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a monitor's state changes. Pure.
 *
 * <p>Each node has one say: the newest of its results that is fresh by the database's clock. A node whose newest result
 * is <em>unknown</em> has no say, for it could not check; nor has a node without a fresh result.
 *
 * <ul>
 *   <li>Any node says up: the monitor is up.
 *   <li>Every node that has a say says down, and there is one: the monitor is down.
 *   <li>No node has a say: the state stays.
 * </ul>
 *
 * <p>The first state ever is recorded; it is told only if it is down: nobody wants to hear that a thing is up of which
 * nobody said that it was down.
 */
final class AlertRules {

    private AlertRules() {}

    static Optional<Change> decide(@Nullable Known known, List<Sighting> sightings) {
        List<Sighting> up = saying("up", sightings);
        List<Sighting> down = saying("down", sightings);
        if (up.isEmpty() && down.isEmpty()) {
            return Optional.empty();
        }
        State now = up.isEmpty() ? State.DOWN : State.UP;
        String detail = details(up.isEmpty() ? down : up);
        if (known == null) {
            return Optional.of(new Change(null, now, 1, detail, now == State.DOWN));
        }
        if (known.state() == now) {
            return Optional.empty();
        }
        return Optional.of(new Change(known.state(), now, known.seq() + 1, detail, true));
    }

    private static List<Sighting> saying(String outcome, List<Sighting> sightings) {
        return sightings.stream()
                .filter(sighting -> sighting.outcome().equals(outcome))
                .toList();
    }

    private static String details(List<Sighting> sightings) {
        return sightings.stream()
                .map(sighting -> sighting.node() + ": " + sighting.detail())
                .collect(Collectors.joining("; "));
    }
}
