package dev.leasehold.watch.page;

import dev.leasehold.watch.page.PageView.DomainView;
import dev.leasehold.watch.page.PageView.FindingView;
import dev.leasehold.watch.page.PageView.MonitorView;
import dev.leasehold.watch.page.PageView.ResultView;
import dev.leasehold.watch.page.PageView.Status;
import dev.leasehold.watch.page.PageView.When;
import dev.leasehold.watch.page.Snapshot.DomainRow;
import dev.leasehold.watch.page.Snapshot.FindingRow;
import dev.leasehold.watch.page.Snapshot.MonitorRow;
import dev.leasehold.watch.page.Snapshot.ResultRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What is watched, in words. An old result is never shown as if it were news. */
final class WatchedViews {

    private final Duration staleAfter;

    WatchedViews(Duration staleAfter) {
        this.staleAfter = staleAfter;
    }

    MonitorView monitor(MonitorRow monitor, Instant now) {
        return new MonitorView(
                monitor.name(),
                monitor.url(),
                state(monitor, now),
                monitor.since() == null ? null : When.of(monitor.since(), now),
                monitor.results().stream().map(result -> result(result, now)).toList());
    }

    /** A state for which no node has a fresh up or down is what was, not what is. */
    private Status state(MonitorRow monitor, Instant now) {
        if (monitor.state() == null) {
            return new Status("off", monitor.results().isEmpty() ? "not checked yet" : "not evaluated yet");
        }
        List<ResultRow> fresh = monitor.results().stream()
                .filter(result -> !isStale(result, now))
                .toList();
        if (fresh.isEmpty()) {
            return new Status("warn", "was " + monitor.state() + ", no news");
        }
        if (fresh.stream().allMatch(result -> result.outcome().equals("unknown"))) {
            return new Status("warn", "was " + monitor.state() + ", could not check");
        }
        return outcome(monitor.state());
    }

    private ResultView result(ResultRow result, Instant now) {
        String took = Words.span(result.duration());
        String answer = result.detail().isEmpty()
                ? result.statusCode().map(code -> "answered " + code).orElse("no answer")
                : result.detail();
        Status status =
                isStale(result, now) ? new Status("warn", "stale: " + result.outcome()) : outcome(result.outcome());
        return new ResultView(result.node(), status, answer + " (" + took + ")", When.of(result.checkedAt(), now));
    }

    private boolean isStale(ResultRow result, Instant now) {
        return Duration.between(result.checkedAt(), now).compareTo(staleAfter) > 0;
    }

    private static Status outcome(String outcome) {
        return switch (outcome) {
            case "up" -> new Status("good", "up");
            case "down" -> new Status("bad", "down");
            default -> new Status("warn", "could not check");
        };
    }

    DomainView domain(DomainRow domain, Instant now) {
        return new DomainView(
                domain.name(),
                domain.checkedAt() == null ? null : When.of(domain.checkedAt(), now),
                domain.checkedAt() == null || domain.conclusive()
                        ? null
                        : new Status("warn", "the last look-up failed"),
                domain.findings().stream().map(finding -> finding(finding, now)).toList());
    }

    private static FindingView finding(FindingRow finding, Instant now) {
        Status status = switch (finding.status()) {
            case "ok" -> new Status("good", "ok");
            case "unknown" -> new Status("off", "could not check");
            case "weak" -> new Status("warn", "weak");
            default -> new Status("bad", finding.status());
        };
        return new FindingView(
                finding.subject().toUpperCase(Locale.ROOT),
                status,
                finding.explanation(),
                finding.record(),
                When.of(finding.foundAt(), now));
    }
}
