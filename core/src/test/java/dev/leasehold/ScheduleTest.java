package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The slots of grids and of functions, and what the database is sent of them. */
class ScheduleTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private static Instants daily() {
        return Schedule.of("noon", after -> {
            Instant sameDay = Instant.ofEpochSecond(after.getEpochSecond() / 86_400 * 86_400 + 43_200);
            return sameDay.isAfter(after) ? sameDay : sameDay.plusSeconds(86_400);
        });
    }

    @Test
    void theNextSlotOfAGridLiesStrictlyAfter() {
        var grid = Schedule.every(Duration.ofHours(1), Duration.ofMinutes(17));
        assertThat(grid.next(NOON)).contains(NOON.plusSeconds(17 * 60));
        assertThat(grid.next(NOON.plusSeconds(17 * 60))).contains(NOON.plusSeconds(77 * 60));
        assertThat(grid.next(Instant.parse("1969-12-31T23:20:00Z"))).contains(Instant.parse("1970-01-01T00:17:00Z"));
    }

    @Test
    void aSpreadOffsetIsTheNamesOwnAndLessThanThePeriod() {
        Duration day = Duration.ofDays(1);
        assertThat(Grid.spread(day, "sweep")).isEqualTo(Grid.spread(day, "sweep"));
        long distinct = IntStream.range(0, 1_000)
                .mapToObj(i -> Grid.spread(day, "round " + i).offset().toHours())
                .distinct()
                .count();
        assertThat(distinct)
                .as("hours of the day that a thousand names fall into")
                .isEqualTo(24);
        assertThat(Grid.spread(Duration.ofMillis(1), "x").offset()).isLessThan(Duration.ofMillis(1));
        assertThat(Grid.spread(Duration.ofHours(1), "sweep").offset())
                .as("the same in every version, for a deploy must not move the slots")
                .isEqualTo(SPREAD_OF_SWEEP);
    }

    private static final Duration AHEAD = Duration.ofSeconds(10);

    /** Computed apart: the CRC-32, times the golden ratio's fraction in 64 bits, signed, modulo an hour. */
    private static final Duration SPREAD_OF_SWEEP = Duration.ofMillis(3099674);

    @Test
    void theWindowHoldsTheLastInstantThatHasComeAndSomeThatFollow() {
        List<Instant> window = daily().around(NOON.plusSeconds(3_600), AHEAD).instants();
        assertThat(window).startsWith(NOON, NOON.plusSeconds(86_400));
        assertThat(window).hasSizeGreaterThan(3).isSorted();
        assertThat(daily().around(NOON, AHEAD).instants().get(0))
                .as("an instant has come at that instant")
                .isEqualTo(NOON);
        assertThat(daily().around(NOON.minusNanos(1_000), AHEAD).instants().get(0))
                .isEqualTo(NOON.minusSeconds(86_400));
    }

    @Test
    void theWindowReachesBeyondATimeToComeUnlessItsInstantsAreTooMany() {
        for (long step : new long[] {86_400_000, 60_000, 1_000, 250, 200}) {
            List<Instant> window = every(step).around(NOON, AHEAD).instants();
            assertThat(window.get(window.size() - 1)).isAfter(NOON.plus(AHEAD));
            assertThat(window).hasSizeBetween(7, 60);
        }
        assertThat(every(1).around(NOON, AHEAD).instants()).hasSizeLessThan(70);
    }

    private static Instants every(long millis) {
        return Schedule.of(
                "every " + millis + " ms", after -> Instant.ofEpochMilli((after.toEpochMilli() / millis + 1) * millis));
    }

    @Test
    void theLastInstantIsFoundInAFewQuestionsHoweverManyLieBehind() {
        var asked = new AtomicInteger();
        // every second of 2025, and then again from 2027 on
        var bursts = Schedule.of("bursts", after -> {
            asked.incrementAndGet();
            Instant next = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
            boolean isSilent = next.isAfter(Instant.parse("2025-12-31T23:59:59Z"))
                    && next.isBefore(Instant.parse("2027-01-01T00:00:00Z"));
            return isSilent ? Instant.parse("2027-01-01T00:00:00Z") : next;
        });
        assertThat(bursts.around(NOON, AHEAD).instants())
                .startsWith(Instant.parse("2025-12-31T23:59:59Z"), Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(asked).hasValueLessThan(200);
    }

    @Test
    void aScheduleThatEndsHasNoMore() {
        var once = Schedule.of("once", after -> NOON.isAfter(after) ? NOON : null);
        assertThat(once.next(NOON)).isEmpty();
        assertThat(once.around(NOON.plusSeconds(5), AHEAD)).isEqualTo(new Instants.Window(List.of(NOON), false, true));
        assertThat(once.around(NOON.minusSeconds(5), AHEAD)).isEqualTo(new Instants.Window(List.of(NOON), true, true));
        assertThat(Schedule.of("never", after -> null).around(NOON, AHEAD))
                .isEqualTo(new Instants.Window(List.of(), true, true));
    }

    @Test
    void aScheduleThatGoesOnForEverHasNeitherABeginNorAnEnd() {
        assertThat(daily().around(NOON, AHEAD).isFirst()).isFalse();
        assertThat(daily().around(NOON, AHEAD).isLast()).isFalse();
    }

    @Test
    void instantsAreWholeMicrosecondsAsTheDatabaseKeepsThem() {
        var fine = Schedule.of("fine", after -> after.plusNanos(1_500));
        Instant next = fine.next(NOON).orElseThrow();
        assertThat(next).isEqualTo(NOON.plusNanos(1_000));
        assertThat(fine.next(next)).contains(NOON.plusNanos(2_000));
        assertThat(Schedule.of("finer", after -> after.plusNanos(1)).next(NOON)).contains(NOON.plusNanos(1_000));
    }

    @Test
    void aFunctionThatDoesNotGoForwardIsRefusedByName() {
        var stuck = Schedule.of("stuck", after -> after);
        assertThatIllegalStateException()
                .isThrownBy(() -> stuck.next(NOON))
                .withMessage("schedule stuck answered " + NOON + ", which is not after " + NOON);
    }

    @Test
    void whatIsBeyondTheYear9999IsNoInstantAnyMore() {
        var far = Schedule.of("far", after -> after.plus(Duration.ofDays(4_000_000)));
        assertThat(far.next(NOON)).isEqualTo(Optional.empty());
    }
}
