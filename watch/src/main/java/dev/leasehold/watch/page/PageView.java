package dev.leasehold.watch.page;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the template prints: texts only, so that the template decides nothing. */
record PageView(
        String summary,
        When read,
        List<NodeView> nodes,
        List<LeaseView> leases,
        List<RoundView> rounds,
        List<MonitorView> monitors,
        List<DomainView> domains) {

    /** A time as an age, and the instant for those who want it exactly. */
    record When(String text, String instant) {

        static When of(Instant then, Instant now) {
            return new When(
                    Words.ago(then, now), then.truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }

    /** A state as a word; {@code kind} chooses its colour and sign: good, bad, warn, busy or off. */
    record Status(String kind, String text) {}

    record NodeView(String name, List<InstanceView> instances) {}

    record InstanceView(Status status, String url, long pid, When started, When beat, boolean serving) {}

    record LeaseView(
            String name,
            Status status,
            boolean formerHolder,
            String node,
            String holder,
            String fence,
            String timeLeft,
            @Nullable When slot,
            int deaths) {}

    record RoundView(
            String name,
            Status status,
            @Nullable When slot,
            Status outcome,
            String duration,
            long runs,
            long failures,
            long skipped) {}

    record MonitorView(
            String name,
            String url,
            Status status,
            @Nullable When since,
            List<ResultView> results) {}

    record ResultView(String node, Status status, String text, When checked) {}

    record DomainView(
            String name, @Nullable When checked, @Nullable Status trouble, List<FindingView> findings) {}

    record FindingView(
            String subject,
            Status status,
            String explanation,
            @Nullable String record,
            When found) {}
}
