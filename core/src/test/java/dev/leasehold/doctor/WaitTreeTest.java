package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tree of waits has an end, whoever waits for whom. */
class WaitTreeTest {

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static Wait wait(int pid, long millis, Integer... blockers) {
        return new Wait(pid, List.of(blockers), Duration.ofMillis(millis), "a row");
    }

    private static List<String> drawn(Wait... waits) {
        return WaitTree.of(List.of(waits), SHORTEST).lines().stream()
                .map(line -> "-".repeat(line.depth()) + line.pid() + (line.isRepeat() ? " again" : ""))
                .toList();
    }

    @Test
    void shortWaitsAreNotTold() {
        assertThat(drawn(wait(2, 999, 1))).isEmpty();
        assertThat(drawn(wait(2, 1000, 1), wait(4, 5, 3))).containsExactly("1", "-2");
    }

    @Test
    void aShortWaitOfTheOneInTheWayIsTold() {
        assertThat(drawn(wait(2, 10, 1), wait(3, 1000, 2))).containsExactly("1", "-2", "--3");
    }

    @Test
    void whoWaitsForTwoIsToldBelowEachAndContinuedOnce() {
        assertThat(drawn(wait(3, 2000, 1, 2), wait(4, 1500, 3))).containsExactly("1", "-3", "--4", "2", "-3 again");
    }

    @Test
    void aQueueStandsSideBySide() {
        assertThat(drawn(wait(2, 5000, 1), wait(3, 4000, 1, 2), wait(4, 3000, 1, 2, 3)))
                .containsExactly("1", "-2", "-3", "-4");
    }

    @Test
    void thoseWhoWaitForEachOtherAreToldOnce() {
        assertThat(drawn(wait(1, 1500, 2), wait(2, 1400, 1))).containsExactly("1", "-2", "--1 again");
        assertThat(drawn(wait(1, 1500, 2), wait(2, 1400, 1), wait(3, 1300, 1, 2)))
                .contains("1", "-2", "--1 again")
                .anyMatch(line -> line.endsWith("3"));
    }

    @Test
    void whoWaitsForItselfIsToldOnce() {
        assertThat(drawn(wait(1, 1500, 1))).containsExactly("1", "-1 again");
    }

    @Test
    void waitsInACircleHaveNobodyElseInTheWay() {
        Finding finding = BlockedSessions.judge(List.of(), List.of(wait(1, 1500, 2), wait(2, 1400, 1)), List.of())
                .get(0);
        assertThat(finding.title())
                .isEqualTo("2 sessions wait for locks, the longest for 1.5 s: they wait for each other");
        assertThat(finding.meaning()).contains("PostgreSQL ends one of them");
    }

    @Test
    void aWaitOf30SecondsIsAProblem() {
        assertThat(BlockedSessions.judge(List.of(), List.of(wait(2, 29_999, 1)), List.of()))
                .extracting(Finding::severity)
                .containsExactly(Severity.RISK);
        assertThat(BlockedSessions.judge(List.of(), List.of(wait(2, 30_000, 1)), List.of()))
                .extracting(Finding::severity)
                .containsExactly(Severity.PROBLEM);
    }

    @Test
    void aLongQueueIsCutToWhatSomebodyWouldRead() {
        Wait[] waits = IntStream.rangeClosed(2, 3_000)
                .mapToObj(pid -> wait(pid, 5000, pid - 1))
                .toArray(Wait[]::new);
        Finding finding =
                BlockedSessions.judge(List.of(), List.of(waits), List.of()).get(0);
        assertThat(finding.title()).startsWith("2,999 sessions wait");
        assertThat(finding.evidence().rows()).hasSize(100);
        assertThat(finding.evidence().leftOut()).isEqualTo(2_900);
    }
}
