package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From where on a holder of the horizon is told, and who is none. */
class HeldBackHorizonTest {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static List<Severity> judged(Optional<Duration> open, int behind) {
        var holder = new HorizonHolder("replication slot feed", "", open, behind, Remedy.none());
        return HeldBackHorizon.judge(List.of(holder), LONGEST).stream()
                .map(Finding::severity)
                .toList();
    }

    private static Session session(String kind, String query) {
        return new Session(
                7,
                false,
                kind,
                new Client("local", "psql", "postgres", "shop"),
                SessionState.ACTIVE,
                false,
                Optional.of(LONGEST),
                Optional.of(LONGEST),
                Optional.of(12),
                Optional.empty(),
                Optional.empty(),
                query);
    }

    @Test
    void distanceIsToldFromAMillionTransactions() {
        assertThat(judged(Optional.empty(), 999_999)).isEmpty();
        assertThat(judged(Optional.empty(), 1_000_000)).containsExactly(Severity.RISK);
        assertThat(judged(Optional.empty(), 99_999_999)).containsExactly(Severity.RISK);
        assertThat(judged(Optional.empty(), 100_000_000)).containsExactly(Severity.PROBLEM);
    }

    @Test
    void ageIsToldFromThatOfALongTransaction() {
        assertThat(judged(Optional.of(LONGEST.minusNanos(1)), 3)).isEmpty();
        assertThat(judged(Optional.of(LONGEST), 3)).containsExactly(Severity.RISK);
    }

    @Test
    void theFurthestIsTheTitleAndTheFirstRow() {
        var near = new HorizonHolder("session 7", "shop", Optional.of(LONGEST), 3, Remedy.none());
        var far = new HorizonHolder(
                "replication slot feed",
                "",
                Optional.empty(),
                2_000_000,
                HorizonHolder.replication(Optional.of("feed")));
        Finding finding = HeldBackHorizon.judge(List.of(near, far), LONGEST).get(0);
        assertThat(finding.title())
                .isEqualTo(
                        "replication slot feed holds back the horizon by 2,000,000 transactions: rows that died since"
                                + " cannot be removed");
        assertThat(Found.column("holder", finding)).containsExactly("replication slot feed", "session 7");
        assertThat(finding.remedy().sql()).containsExactly("select pg_drop_replication_slot('feed');");
    }

    @Test
    void vacuumsAndWalsendersHoldNothingBackThemselves() {
        assertThat(HorizonHolder.of(session("client backend", "select 1")))
                .contains(new HorizonHolder(
                        "session 7 (psql, active for 5 min)",
                        "shop",
                        Optional.of(LONGEST),
                        12,
                        Remedy.now(
                                "Let its application end the transaction; or cut the session off, which rolls it back.",
                                "select pg_terminate_backend(7);")));
        assertThat(HorizonHolder.of(session("client backend", "VACUUM (verbose) stock")))
                .isEmpty();
        assertThat(HorizonHolder.of(session("autovacuum worker", "autovacuum: ANALYZE stock")))
                .isEmpty();
        assertThat(HorizonHolder.of(session("walsender", ""))).isEmpty();
    }
}
