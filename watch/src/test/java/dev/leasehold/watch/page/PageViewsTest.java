package dev.leasehold.watch.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LeaseRow;
import dev.leasehold.Schedule;
import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.watch.nodes.Instance;
import dev.leasehold.watch.page.PageView.LeaseView;
import dev.leasehold.watch.page.PageView.MonitorView;
import dev.leasehold.watch.page.PageView.Status;
import dev.leasehold.watch.page.Snapshot.DomainRow;
import dev.leasehold.watch.page.Snapshot.FindingRow;
import dev.leasehold.watch.page.Snapshot.MonitorRow;
import dev.leasehold.watch.page.Snapshot.ResultRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageViewsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instance SERVING = instance("host:100:aa", "node-a", 100, true);
    private static final Instance GONE = instance("host:200:bb", "node-b", 200, false);

    private final PageViews views = new PageViews(SERVING.id(), new PageProperties(Duration.ofSeconds(60)));

    private static Instance instance(String id, String node, long pid, boolean living) {
        Duration sinceBeat = Duration.ofSeconds(living ? 2 : 200);
        return new Instance(
                id, node, pid, "http://127.0.0.1:1", NOW.minusSeconds(600), NOW.minus(sinceBeat), sinceBeat, living);
    }

    private PageView of(
            List<LeaseRow> leases, List<RoundStatus> rounds, List<MonitorRow> monitors, List<DomainRow> domains) {
        return views.of(new Snapshot(NOW, List.of(SERVING, GONE), leases, rounds, monitors, domains));
    }

    private LeaseView lease(String holder, Instant expiresAt, boolean held) {
        Duration left = held ? Duration.between(NOW, expiresAt) : Duration.ZERO;
        return of(
                        List.of(new LeaseRow(
                                "sweep",
                                holder,
                                NOW.minusSeconds(5),
                                expiresAt,
                                42,
                                Optional.of(NOW.minusSeconds(3600)),
                                false,
                                1,
                                Optional.empty(),
                                held,
                                left)),
                        List.of(),
                        List.of(),
                        List.of())
                .leases()
                .get(0);
    }

    private MonitorView monitor(@Nullable String state, ResultRow... results) {
        MonitorRow row = new MonitorRow("shop", "https://shop.example", state, NOW.minusSeconds(120), List.of(results));
        return of(List.of(), List.of(), List.of(row), List.of()).monitors().get(0);
    }

    private static ResultRow result(String node, String outcome, Duration age) {
        return new ResultRow(node, outcome, Optional.of(200), Duration.ofMillis(12), "", NOW.minus(age));
    }

    @Test
    void instanceThatServesThePageIsMarkedAndOneThatIsGoneIsSaidToBe() {
        PageView page = of(List.of(), List.of(), List.of(), List.of());

        assertThat(page.nodes().get(0).instances().get(0).serving()).isTrue();
        assertThat(page.nodes().get(0).instances().get(0).status()).isEqualTo(new Status("good", "living"));
        assertThat(page.nodes().get(1).instances().get(0).serving()).isFalse();
        assertThat(page.nodes().get(1).instances().get(0).status()).isEqualTo(new Status("bad", "gone"));
        assertThat(page.nodes().get(1).instances().get(0).beat().text()).isEqualTo("3 min 20 s ago");
        assertThat(page.summary()).startsWith("1 living instance, ");
    }

    @Test
    void heldLeaseNamesTheNodeOfItsHolderAndTheTimeLeft() {
        LeaseView lease = lease("host:100:ff", NOW.plusSeconds(97), true);

        assertThat(lease.status()).isEqualTo(new Status("busy", "held"));
        assertThat(lease.node()).isEqualTo("node-a");
        assertThat(lease.timeLeft()).isEqualTo("1 min 37 s");
        assertThat(lease.fence()).isEqualTo("42");
        assertThat(lease.deaths()).isEqualTo(1);
        assertThat(lease.slot()).isEqualTo(new PageView.When("1 h ago", "2026-01-01T11:00:00Z"));
        assertThat(lease.formerHolder()).isFalse();
    }

    @Test
    void holderOfAnotherProcessOrHostIsNoNodeOfOurs() {
        assertThat(lease("host:10:ff", NOW.plusSeconds(97), true).node()).isEmpty();
        assertThat(lease("other:100:ff", NOW.plusSeconds(97), true).node()).isEmpty();
        assertThat(lease("somebody", NOW.plusSeconds(97), true).node()).isEmpty();
    }

    @Test
    void releasedExpiredAndRestingLeasesAreTold() {
        assertThat(lease("host:200:ff", Instant.EPOCH, false).status()).isEqualTo(new Status("off", "free"));
        assertThat(lease("host:200:ff", Instant.EPOCH, false).formerHolder()).isTrue();
        assertThat(lease("host:200:ff", NOW.minusSeconds(1), false).status())
                .isEqualTo(new Status("warn", "expired, not released"));
        assertThat(lease("-", NOW.plusSeconds(30), false).status()).isEqualTo(new Status("off", "resting"));
        assertThat(lease("-", NOW.plusSeconds(30), false).timeLeft()).isEqualTo("30 s");
        assertThat(lease("-", NOW.minusSeconds(30), false).status()).isEqualTo(new Status("off", "free"));
    }

    @Test
    void resultOlderThanTheBoundIsStaleWhateverItSaid() {
        MonitorView monitor = monitor(
                "up",
                result("node-a", "up", Duration.ofSeconds(60)),
                result("node-b", "up", Duration.ofMillis(60_001)));

        assertThat(monitor.status()).isEqualTo(new Status("good", "up"));
        assertThat(monitor.results())
                .extracting(PageView.ResultView::status)
                .containsExactly(new Status("good", "up"), new Status("warn", "stale: up"));
        assertThat(monitor.results().get(0).text()).isEqualTo("answered 200 (12 ms)");
    }

    @Test
    void stateWithNothingButStaleResultsIsWhatWas() {
        assertThat(monitor("up", result("node-a", "up", Duration.ofMinutes(5))).status())
                .isEqualTo(new Status("warn", "was up, no news"));
        assertThat(monitor("down").status()).isEqualTo(new Status("warn", "was down, no news"));
    }

    @Test
    void monitorWithoutStateSaysWhatIsMissing() {
        assertThat(monitor(null).status()).isEqualTo(new Status("off", "not checked yet"));
        assertThat(monitor(null, result("node-a", "down", Duration.ZERO)).status())
                .isEqualTo(new Status("off", "not evaluated yet"));
    }

    @Test
    void nodeThatCouldNotCheckDoesNotSayDown() {
        var unknown = new ResultRow(
                "node-a", "unknown", Optional.empty(), Duration.ofSeconds(2), "no name server answers", NOW);

        MonitorView monitor = monitor("up", unknown);

        assertThat(monitor.status()).isEqualTo(new Status("warn", "was up, could not check"));
        assertThat(monitor.results().get(0).status()).isEqualTo(new Status("warn", "could not check"));
        assertThat(monitor.results().get(0).text()).isEqualTo("no name server answers (2 s)");
    }

    @Test
    void oneNodeThatCouldCheckIsEnoughForNewsAndAStaleOneIsNot() {
        ResultRow unknown = result("node-a", "unknown", Duration.ZERO);

        assertThat(monitor("down", unknown, result("node-b", "down", Duration.ZERO))
                        .status())
                .isEqualTo(new Status("bad", "down"));
        assertThat(monitor("down", unknown, result("node-b", "down", Duration.ofMinutes(5)))
                        .status())
                .isEqualTo(new Status("warn", "was down, could not check"));
    }

    @Test
    void failedLookUpIsUnknownAndNotMissing() {
        var domain = new DomainRow(
                "example.org",
                NOW.minusSeconds(60),
                false,
                List.of(
                        new FindingRow("spf", "unknown", null, "SERVFAIL", NOW),
                        new FindingRow("dmarc", "missing", null, "no record", NOW),
                        new FindingRow("dmarc", "weak", "v=DMARC1; p=none", "only reports", NOW.minusSeconds(7200))));

        assertThat(of(List.of(), List.of(), List.of(), List.of(domain))
                        .domains()
                        .get(0)
                        .findings())
                .extracting(PageView.FindingView::status)
                .containsExactly(
                        new Status("off", "could not check"), new Status("bad", "missing"), new Status("warn", "weak"));
    }

    @Test
    void findingHasItsOwnAgeAndAFailedLookUpIsSaid() {
        var finding = new FindingRow("spf", "ok", "v=spf1 -all", "fine", NOW.minusSeconds(7200));
        var failed = new DomainRow("a.example", NOW.minusSeconds(60), false, List.of(finding));
        var checked = new DomainRow("b.example", NOW.minusSeconds(60), true, List.of(finding));
        var never = new DomainRow("c.example", null, false, List.of());

        var domains = of(List.of(), List.of(), List.of(), List.of(failed, checked, never))
                .domains();

        assertThat(domains.get(0).trouble()).isEqualTo(new Status("warn", "the last look-up failed"));
        assertThat(domains.get(0).findings().get(0).found().text()).isEqualTo("2 h ago");
        assertThat(domains.get(1).trouble()).isNull();
        assertThat(domains.get(2).trouble()).isNull();
    }

    @Test
    void roundsTellTheirLastOutcome() {
        var idle = status("alerts", false, Optional.empty(), Optional.empty(), Optional.empty());
        var failed =
                status("uptime@node-a", true, Optional.of(RoundOutcome.FAILED), Optional.empty(), Optional.empty());

        var rounds = of(List.of(), List.of(idle, failed), List.of(), List.of()).rounds();

        assertThat(rounds.get(0).outcome()).isEqualTo(new Status("off", "none yet"));
        assertThat(rounds.get(0).slot()).isNull();
        assertThat(rounds.get(1).name()).isEqualTo("uptime@node-a");
        assertThat(rounds.get(1).status()).isEqualTo(new Status("busy", "running"));
        assertThat(rounds.get(1).outcome()).isEqualTo(new Status("bad", "failed"));
        assertThat(rounds.get(1).duration()).isEqualTo("350 ms");
    }

    @Test
    void roundsTellThatTheyArePausedOrInTrouble() {
        var paused = status("alerts", false, Optional.empty(), Optional.of("too loud"), Optional.empty());
        var dead = status("sweep", false, Optional.empty(), Optional.empty(), Optional.of("no pass for 300 s"));

        var rounds = of(List.of(), List.of(paused, dead), List.of(), List.of()).rounds();

        assertThat(rounds.get(0).status()).isEqualTo(new Status("warn", "paused: too loud"));
        assertThat(rounds.get(1).status()).isEqualTo(new Status("bad", "no pass for 300 s"));
    }

    private static RoundStatus status(
            String leaseName,
            boolean running,
            Optional<RoundOutcome> outcome,
            Optional<String> pauseReason,
            Optional<String> trouble) {
        Optional<Instant> ran = outcome.map(any -> NOW.minusSeconds(10));
        return new RoundStatus(
                leaseName.replaceFirst("@.*", ""),
                leaseName,
                Schedule.every(Duration.ofSeconds(10)),
                running,
                ran,
                ran,
                ran,
                outcome,
                outcome.map(any -> Duration.ofMillis(350)),
                Optional.empty(),
                7,
                6,
                1,
                2,
                Optional.empty(),
                pauseReason,
                Optional.empty(),
                trouble,
                trouble.isEmpty());
    }
}
