package dev.leasehold.watch.page;

import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.watch.nodes.Instance;
import dev.leasehold.watch.nodes.ThisInstance;
import dev.leasehold.watch.page.PageView.InstanceView;
import dev.leasehold.watch.page.PageView.NodeView;
import dev.leasehold.watch.page.PageView.RoundView;
import dev.leasehold.watch.page.PageView.Status;
import dev.leasehold.watch.page.PageView.When;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Turns a snapshot into the texts of the page. */
final class PageViews {

    private final String servingId;
    private final WatchedViews watched;

    PageViews(ThisInstance serving, PageProperties properties) {
        this(serving.id(), properties);
    }

    PageViews(String servingId, PageProperties properties) {
        this.servingId = servingId;
        this.watched = new WatchedViews(properties.staleAfter());
    }

    PageView of(Snapshot snapshot) {
        Instant now = snapshot.now();
        return new PageView(
                summary(snapshot),
                When.of(now, now),
                nodes(snapshot.instances(), now),
                snapshot.leases().stream()
                        .map(lease -> LeaseViews.of(lease, snapshot.instances(), now))
                        .toList(),
                snapshot.rounds().stream().map(round -> round(round, now)).toList(),
                snapshot.monitors().stream()
                        .map(monitor -> watched.monitor(monitor, now))
                        .toList(),
                snapshot.domains().stream()
                        .map(domain -> watched.domain(domain, now))
                        .toList());
    }

    private static String summary(Snapshot snapshot) {
        long living = snapshot.instances().stream().filter(Instance::living).count();
        long down = snapshot.monitors().stream()
                .filter(monitor -> "down".equals(monitor.state()))
                .count();
        long held = snapshot.leases().stream().filter(lease -> lease.held()).count();
        return count(living, "living instance") + ", " + held + " of "
                + count(snapshot.leases().size(), "lease") + " held, " + down + " of "
                + count(snapshot.monitors().size(), "monitor") + " down";
    }

    private static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private List<NodeView> nodes(List<Instance> instances, Instant now) {
        Map<String, List<Instance>> byNode = instances.stream()
                .collect(Collectors.groupingBy(Instance::node, LinkedHashMap::new, Collectors.toList()));
        return byNode.entrySet().stream()
                .map(node -> node(node.getKey(), node.getValue(), now))
                .toList();
    }

    private NodeView node(String name, List<Instance> instances, Instant now) {
        return new NodeView(
                name,
                instances.stream().map(instance -> instance(instance, now)).toList());
    }

    private InstanceView instance(Instance instance, Instant now) {
        return new InstanceView(
                instance.living() ? new Status("good", "living") : new Status("bad", "gone"),
                instance.url(),
                instance.pid(),
                When.of(instance.startedAt(), now),
                When.of(instance.beatAt(), now),
                instance.id().equals(servingId));
    }

    private static RoundView round(RoundStatus round, Instant now) {
        return new RoundView(
                round.leaseName(),
                status(round),
                round.lastSlot().map(slot -> When.of(slot, now)).orElse(null),
                round.lastOutcome().map(PageViews::outcome).orElse(new Status("off", "none yet")),
                round.lastDuration().map(Words::span).orElse("-"),
                round.runs(),
                round.failures(),
                round.skippedSlots());
    }

    private static Status status(RoundStatus round) {
        if (round.trouble().isPresent()) {
            return new Status("bad", round.trouble().get());
        }
        if (round.running()) {
            return new Status("busy", "running");
        }
        return round.pauseReason()
                .map(reason -> new Status("warn", "paused: " + reason))
                .orElse(new Status("off", "idle"));
    }

    private static Status outcome(RoundOutcome outcome) {
        return switch (outcome) {
            case DONE -> new Status("good", "done");
            case FAILED -> new Status("bad", "failed");
            case TIMED_OUT -> new Status("bad", "timed out");
            case GIVEN_UP -> new Status("bad", "given up");
            case STOPPED -> new Status("warn", "stopped");
            case LOST -> new Status("warn", "lost its lease");
            case DIED -> new Status("bad", "died");
        };
    }
}
