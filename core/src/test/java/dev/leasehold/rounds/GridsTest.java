package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquisition;
import dev.leasehold.Await;
import dev.leasehold.Grid;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots lie on a grid that does not drift, whoever asks, with whatever configuration, and whatever the clock does. */
class GridsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);

    @AfterEach
    void close() {
        instances.close();
    }

    private static Round round(String name, Duration period, Duration offset) {
        return Round.named(name).every(period).offset(offset).work(context -> {});
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    /** The counted slots, in order. */
    private List<Instant> slots(String name) throws SQLException {
        var slots = new ArrayList<Instant>();
        try (var connection = database.connect();
                var statement = connection.prepareStatement("select slot from counted where name = ? order by slot")) {
            statement.setString(1, name);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    slots.add(rows.getTimestamp(1).toInstant());
                }
            }
        }
        return slots;
    }

    /** Each slot of the faster and those of the slower that lie far enough from them, and hardly more. */
    private void assertMixed(String name, Duration shortest) throws SQLException {
        List<Instant> slots = slots(name);
        assertThat(slots).doesNotHaveDuplicates();
        for (int i = 1; i < slots.size(); i++) {
            assertThat(Duration.between(slots.get(i - 1), slots.get(i)))
                    .as("%s after %s", slots.get(i), slots.get(i - 1))
                    .isGreaterThanOrEqualTo(shortest.dividedBy(2));
        }
        Duration all = Duration.between(slots.get(0), slots.get(slots.size() - 1));
        double perPeriod = (slots.size() - 1) / ((double) all.toMillis() / shortest.toMillis());
        assertThat(perPeriod).as("runs of %s per period of the faster", name).isLessThanOrEqualTo(1.1);
    }

    /** As in the middle of a deploy that changes the period or the offset, for a few whole cycles of the two. */
    @Test
    void mixedConfigurationsRunHardlyMoreOftenThanTheFasterOne() throws Exception {
        Leases old = instances.leases();
        Leases young = instances.leases();
        instances.start(
                old,
                "a",
                round("moved", millis(300), Duration.ZERO),
                round("longer", millis(300), Duration.ZERO),
                round("hardly longer", millis(300), Duration.ZERO));
        instances.start(
                young,
                "b",
                round("moved", millis(300), millis(150)),
                round("longer", millis(400), Duration.ZERO),
                round("hardly longer", millis(310), Duration.ZERO));
        Await.until("one and a half cycles of 300 and 310 ms", LIMIT, () -> instances.counted("hardly longer") >= 47);
        instances.stopAll();
        assertMixed("moved", millis(300));
        assertMixed("longer", millis(300));
        assertMixed("hardly longer", millis(300));
    }

    @Test
    void thousandsOfRoundsDoNotDrift() throws Exception {
        Leases leases = instances.leases();
        var works = IntStream.range(0, 8)
                .mapToObj(i -> new CopyOnWriteArrayList<Instant>())
                .toList();
        instances.start(
                leases,
                "a",
                IntStream.range(0, 8)
                        .mapToObj(i -> Round.named("quick " + i)
                                .every(millis(10))
                                .offset(millis(3))
                                .work(context -> works.get(i).add(context.slot())))
                        .toArray(Round[]::new));
        Await.until(
                "two hundred runs",
                LIMIT,
                () -> works.stream().mapToInt(List::size).sum() >= 200);
        instances.stopAll();
        assertThat(works)
                .allSatisfy(slots -> assertThat(slots)
                        .doesNotHaveDuplicates()
                        .isSorted()
                        .allSatisfy(slot -> assertThat(slot.toEpochMilli() % 10).isEqualTo(3)));
        // and as far as one can see, by the same arithmetic
        Grid grid = new Grid(Duration.ofNanos(7_001_000), Duration.ofNanos(3_000));
        Instant slot = grid.next(Instant.EPOCH).orElseThrow();
        for (int i = 1; i < 10_000; i++) {
            slot = grid.next(slot).orElseThrow();
            assertThat(slot).isEqualTo(Instant.EPOCH.plusNanos(3_000 + i * 7_001_000L));
        }
    }

    /** The new period comes true with the next look; an instance that still has the old one does not run it beside. */
    @Test
    void aShorterPeriodTakesEffectAtOnceBesideTheOldOne() throws Exception {
        instances.start(instances.leases(), "a", round("sweep", Duration.ofDays(1), Duration.ZERO));
        Await.until("the first run", LIMIT, () -> instances.counted() == 1);
        database.execute("update leases set done_slot = now() - interval '2 minutes'");
        var young = instances.start(instances.leases(), "b", round("sweep", millis(500), Duration.ZERO));
        Await.until("five more", LIMIT, () -> young.status().get(0).counted() >= 5);
        instances.stopAll();
        assertThat(slots("sweep")).doesNotHaveDuplicates();
    }

    @Test
    void afterAnOutageOfAllThereIsOneLateRunAndThenTheGrid() throws Exception {
        Duration period = millis(700);
        Leases leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round("sweep", period, Duration.ZERO));
        rounds.pass("sweep");
        database.execute("update leases set done_slot = done_slot - interval '70 seconds'");
        long before = instances.counted();
        instances.start(instances.leases(), "a", round("sweep", period, Duration.ZERO));
        Await.until("four runs", LIMIT, () -> instances.counted() >= before + 4);
        instances.stopAll();
        List<Instant> slots = slots("sweep");
        List<Instant> since = slots.subList((int) before, slots.size());
        for (int i = 1; i < since.size(); i++) {
            assertThat(Duration.between(since.get(i - 1), since.get(i)))
                    .as("no slot of the outage is run after it")
                    .isGreaterThanOrEqualTo(period);
        }
    }

    /** The instance that ran the last slot ends before the next one, and who takes over finds that one due. */
    @Test
    void aSlotThatFallsIntoAHandOverIsRunLate() throws Exception {
        Duration period = Duration.ofHours(1);
        ManualRounds first = instances.byHand(instances.leases(), round("sweep", period, Duration.ZERO));
        first.pass("sweep");
        database.execute("update leases set done_slot = done_slot - interval '1 hour'");
        ManualRounds next = instances.byHand(instances.leases(), round("sweep", period, Duration.ZERO));
        assertThat(next.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.counted()).isTrue();
            assertThat(run.lateness()).isBetween(Duration.ZERO, period);
        });
    }

    /**
     * A clock that is set by an hour, as the rows see it: all that was written lies an hour later or earlier then. The holder
     * of the moment goes on; the others too.
     */
    private void setClock(String by) throws SQLException {
        database.execute("update leases set"
                + " taken_at = taken_at - interval '" + by + "',"
                + " expires_at = case when expires_at > 'epoch' then expires_at - interval '" + by + "'"
                + " else expires_at end,"
                + " done_slot = done_slot - interval '" + by + "'");
    }

    @Test
    void aClockThatIsSetBackOrForwardNeitherStopsARoundNorMakesABurst() throws Exception {
        Duration period = millis(500);
        var first = instances.start(instances.leases(), "a", round("sweep", period, Duration.ZERO));
        var second = instances.start(instances.leases(), "b", round("sweep", period, Duration.ZERO));
        for (String by : List.of("-1 hour", "1 hour", "-90 minutes", "90 minutes")) {
            long before = instances.counted();
            Await.until("it runs", LIMIT, () -> instances.counted() >= before + 2);
            long start = System.nanoTime();
            setClock(by);
            long counted = runs(first, second);
            // one that was under way, one more for the slot that is forgotten, and three slots that come after it
            Await.until("it goes on", LIMIT, () -> runs(first, second) >= counted + 5);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(took).as("no burst after %s", by).isGreaterThan(period.multipliedBy(2));
            assertThat(took).as("nor a standstill after %s", by).isLessThan(Duration.ofSeconds(30));
        }
        instances.stopAll();
    }

    private static long runs(Rounds... all) {
        return List.of(all).stream()
                .mapToLong(rounds -> rounds.status().get(0).counted())
                .sum();
    }

    @Test
    void aClockJumpMakesNoLoopThatAsksWithoutAPause() throws Exception {
        instances.start(instances.leases(), "a", round("sweep", millis(500), Duration.ZERO));
        Await.until("it runs", LIMIT, () -> instances.counted() >= 2);
        setClock("-90 minutes");
        long before = transactions();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(3); // how much is asked in that time is what is measured
        long perSecond = (transactions() - before)
                / Duration.ofNanos(System.nanoTime() - start).toSeconds();
        instances.stopAll();
        assertThat(perSecond)
                .as("transactions a second, the test's own among them")
                .isLessThan(30);
    }

    private long transactions() throws SQLException {
        return database.queryForLong(
                "select xact_commit + xact_rollback from pg_stat_database" + " where datname = current_database()");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "America/New_York", "Asia/Kolkata", "Pacific/Apia"})
    void slotsAreTheSameWhateverTimeZoneTheSessionHas(String zone) throws Exception {
        Grid daily = new Grid(Duration.ofDays(1), Duration.ofHours(5));
        var inThatZone = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                try (var statement = connection.createStatement()) {
                    statement.execute("set time zone '" + zone + "'");
                }
                return connection;
            }
        };
        try (var leases = Leases.on(inThatZone).build()) {
            Instant slot = leases.tryAcquireSlot("sweep", daily)
                    .lease()
                    .orElseThrow()
                    .slot()
                    .orElseThrow()
                    .at();
            assertThat(slot.getEpochSecond() % 86_400).isEqualTo(5 * 3_600);
            assertThat(Duration.between(slot, Instant.now())).isBetween(Duration.ZERO, Duration.ofDays(1));
        }
    }

    @Test
    void nodesThatKnowDifferentRoundsRunThemAll() throws Exception {
        Duration period = millis(500);
        instances.start(
                instances.leases(), "a", round("one", period, Duration.ZERO), round("both", period, Duration.ZERO));
        instances.start(
                instances.leases(), "b", round("both", period, Duration.ZERO), round("two", period, Duration.ZERO));
        Await.until(
                "each five times",
                LIMIT,
                () -> instances.counted("one") >= 5 && instances.counted("both") >= 5 && instances.counted("two") >= 5);
        instances.stopAll();
        assertThat(slots("both")).doesNotHaveDuplicates();
    }

    /** As when the period has just been made longer: what was counted last lies anywhere on the old grid. */
    @Test
    void aChangedGridTakesEffectAtOnceWithAGapOfAtMostOneAndAHalfPeriods() throws Exception {
        Duration period = Duration.ofDays(300);
        Leases leases = instances.leases();
        for (Duration offset : List.of(Duration.ZERO, Duration.ofDays(130), Duration.ofDays(299))) {
            var grid = new Grid(period, offset);
            Lease lease = leases.tryAcquireSlot("sweep", grid).lease().orElseThrow();
            Instant slot = lease.slot().orElseThrow().at();
            Instant next = grid.next(Instant.now()).orElseThrow();
            assertThat(slot).isEqualTo(next.minus(period));
            lease.release();
            setCounted(slot.minus(period.dividedBy(2)).minusNanos(1_000));
            assertThat(leases.tryAcquireSlot("sweep", grid).lease())
                    .as("its own slot, if the gap would be longer")
                    .hasValueSatisfying(again -> {
                        assertThat(again.slot().orElseThrow().at()).isEqualTo(slot);
                        again.release();
                    });
            setCounted(slot.minus(period.dividedBy(2)));
            assertThat(leases.tryAcquireSlot("sweep", grid))
                    .as("its next one, one and a half periods after what was counted")
                    .isInstanceOfSatisfying(
                            Acquisition.NotDue.class,
                            notDue -> assertThat(Duration.between(Instant.now().plus(notDue.nextSlotIn()), next))
                                    .isBetween(Duration.ofMinutes(-1), Duration.ofMinutes(1)));
            database.execute("update leases set done_slot = null");
        }
    }

    private void setCounted(Instant slot) throws SQLException {
        database.execute("update leases set done_slot = '" + slot + "'");
    }
}
