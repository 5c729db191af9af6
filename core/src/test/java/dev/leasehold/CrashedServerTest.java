package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server that crashes the moment it has answered, for a role whose commits need not be durable. Its log is written out as
 * seldom as the server allows, so what is not flushed for the answer's sake is lost.
 */
class CrashedServerTest {

    private static final int CRASHES = 4;
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final TestServer SERVER =
            TestServer.start(Map.of("wal_writer_delay", "10s", "wal_writer_flush_after", "1GB", "autovacuum", "off"));

    private final TestDatabase database = SERVER.freshDatabase();
    private final DataSource careless = database.dataSourceAs("careless", "");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @BeforeEach
    void setUp() throws Exception {
        database.execute("""
                do $$
                begin
                  if not exists (select from pg_roles where rolname = 'careless') then
                    create role careless login superuser;
                    alter role careless set synchronous_commit = off;
                  end if;
                end $$
                """);
        try (var leases = leases()) {
            leases.tryAcquire("kept").lease().orElseThrow().release();
        }
        database.execute("checkpoint");
    }

    private Leases leases() {
        return Leases.on(careless).ttl(TTL).renewEvery(Duration.ofSeconds(1)).build();
    }

    /** A release may go on in the background for a moment, where a renewal had its row locked. */
    private static Lease acquired(Leases leases) throws Exception {
        return leases.tryAcquire("kept", PATIENCE).lease().orElseThrow();
    }

    /** Both begin to be trusted at the answer; a lost commit would let another acquire at once. */
    private void crashAndFindItHeld(Lease lease) throws Exception {
        SERVER.crash();
        SERVER.startAgain();
        try (var contender = leases()) {
            assertThat(contender.tryAcquire(lease.name()))
                    .isInstanceOfSatisfying(
                            Acquisition.Busy.class,
                            busy -> assertThat(busy.holder()).contains(lease.holder()));
        }
        assertThat(database.queryForLong("select fence from leases where name = '" + lease.name() + "'"))
                .isEqualTo(lease.fence());
    }

    @Test
    void anAnsweredAcquireOutlivesACrashWhateverTheRolesDefault() throws Exception {
        List<Long> fences = new ArrayList<>();
        for (int i = 0; i < CRASHES; i++) {
            try (var leases = leases()) {
                var again = acquired(leases);
                crashAndFindItHeld(again);
                fences.add(again.fence());
                again.release();
            }
        }
        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void anAnsweredFirstAcquireOfANameOutlivesACrashToo() throws Exception {
        for (int i = 0; i < CRASHES; i++) {
            try (var leases = leases()) {
                crashAndFindItHeld(leases.tryAcquire("new " + i).lease().orElseThrow());
            }
        }
    }

    @Test
    void anAnsweredRenewalOutlivesACrash() throws Exception {
        for (int i = 0; i < CRASHES; i++) {
            try (var leases = leases()) {
                var lease = acquired(leases);
                long acquired = expiry();
                var last = new AtomicReference<>(lease.timeLeft());
                Await.until("a renewal is answered", PATIENCE, () -> {
                    Duration left = lease.timeLeft();
                    return left.compareTo(last.getAndSet(left)) > 0;
                });
                long renewed = expiry();
                assertThat(renewed).isGreaterThan(acquired);
                crashAndFindItHeld(lease);
                assertThat(expiry()).isGreaterThanOrEqualTo(renewed);
                lease.release();
            }
        }
    }

    private long expiry() throws Exception {
        return database.queryForLong(
                "select (extract(epoch from expires_at) * 1000000)::bigint from leases where name = 'kept'");
    }

    /**
     * The slots are so long that none ends meanwhile. A slot that is run again after a crash would be a second run for no reason.
     * What comes last before the crash is not flushed for the sake of another.
     */
    @Test
    void aCountedSlotOutlivesACrashWhateverTheRolesDefault() throws Exception {
        database.execute("create table effects (slot text)");
        var schedule = Schedule.every(Duration.ofDays(100));
        for (int i = 0; i < CRASHES; i++) {
            var atEnd = new SlotRequest("at end " + i, schedule);
            var atCommit = new SlotRequest("at commit " + i, schedule);
            var atAcquire = new SlotRequest("at acquire " + i, schedule, Stamp.AT_ACQUIRE);
            try (var leases = leases()) {
                Lease early = leases.tryAcquireSlot(atAcquire).lease().orElseThrow();
                Lease last = leases.tryAcquireSlot(atEnd).lease().orElseThrow();
                Lease committed = leases.tryAcquireSlot(atCommit).lease().orElseThrow();
                if (i % 2 == 0) {
                    finish(committed);
                    last.releaseDone();
                } else {
                    last.releaseDone();
                    finish(committed);
                }
                SERVER.crash();
                SERVER.startAgain();
                assertThat(early.fence()).isPositive();
            }
            try (var contender = leases()) {
                assertThat(contender.tryAcquireSlot(atEnd)).isInstanceOf(Acquisition.NotDue.class);
                assertThat(contender.tryAcquireSlot(atCommit)).isInstanceOf(Acquisition.NotDue.class);
                assertThat(database.queryForLong("select count(*) from effects where slot = '" + atCommit.name() + "'"))
                        .isEqualTo(1);
                assertThat(database.queryForLong("select count(*) from leases where name = 'at acquire " + i
                                + "' and done_slot is not null"))
                        .isEqualTo(1);
            }
        }
    }

    private void finish(Lease lease) throws SQLException {
        lease.runFenced(careless, connection -> {
            try (var insert = connection.prepareStatement("insert into effects values (?)")) {
                insert.setString(1, lease.name());
                insert.executeUpdate();
            }
            lease.finish(connection);
        });
        assertThat(lease.isFinished()).isTrue();
    }

    private long log(String position) throws Exception {
        return database.queryForLong("select (pg_current_wal_" + position + "_lsn() - '0/0'::pg_lsn)::bigint");
    }

    private interface Sending<T> {
        T send() throws Exception;
    }

    /** What is flushed outlives a crash. All that a statement writes lies behind what was written before it. */
    private <T> T flushed(String statement, Sending<T> sending) throws Exception {
        long before = log("insert");
        T answer = sending.send();
        assertThat(log("flush")).as(statement).isGreaterThan(before);
        return answer;
    }

    /** Straight to the table, so that no renewal in the background flushes for another. */
    @Test
    void theOtherStatementsThatAreBelievedAreFlushedBeforeTheirAnswerToo() throws Exception {
        var name = TableName.of(LeasesBuilder.DEFAULT_TABLE);
        var statements = new Statements(careless);
        var table = new LeaseTable(statements, name);
        var slots = new SlotTable(statements, name);
        database.execute("insert into leases (name, holder, expires_at)"
                + " select 'batch ' || i, '-', 'epoch' from generate_series(1, 9) i");
        try (var lane = new Lane("test", 1)) {
            var orders = new OrderTable(statements, name, lane, PATIENCE);
            var asked = Map.of("batch 1", new LeaseTable.Asked("me", TTL), "batch 2", new LeaseTable.Asked("me", TTL));
            var rows = flushed("acquire many", () -> lane.await(table.acquire(() -> asked, PATIENCE), PATIENCE));
            assertThat(rows.values())
                    .hasSize(2)
                    .allSatisfy(row -> assertThat(row.holder()).isEqualTo("me"));
            var one = key("batch 1", rows);
            var two = key("batch 2", rows);
            assertThat(flushed(
                            "renew in line",
                            () -> lane.await(
                                    table.renewWaiting(one, Optional.empty(), TTL.multipliedBy(2), PATIENCE, () -> {}),
                                    PATIENCE)))
                    .isTrue();
            assertThat(flushed(
                            "extend",
                            () -> table.extend(
                                    lane,
                                    one,
                                    new LeaseTable.Extension(Duration.ofDays(1), Duration.ofDays(2)),
                                    TTL,
                                    PATIENCE)))
                    .isPresent();
            var done = new Ending.Stamped(Optional.of(Instant.EPOCH), true);
            var oneDone = Map.of(one, done);
            assertThat(flushed("release done", () -> lane.await(table.releaseDone(() -> oneDone, PATIENCE), PATIENCE)))
                    .hasSize(1);

            var schedule = Grid.every(Duration.ofDays(100));
            var first = new SlotRequest("first", schedule);
            var ask = new SlotTable.Asked("me", Optional.empty());
            assertThat(flushed("acquire first slot", () -> slots.acquireFirst(lane, first, ask, TTL, PATIENCE)))
                    .hasValueSatisfying(row -> assertThat(row.holder()).isEqualTo("me"));
            var due = Map.of(
                    new SlotRequest("batch 3", schedule),
                    ask,
                    new SlotRequest("batch 4", schedule, Stamp.AT_ACQUIRE),
                    ask);
            assertThat(flushed(
                                    "acquire many slots",
                                    () -> lane.await(slots.acquire(() -> due, TTL, PATIENCE), PATIENCE))
                            .values())
                    .hasSize(2)
                    .allSatisfy(row -> assertThat(row.holder()).isEqualTo("me"));
            var three = flushed(
                    "acquire a slot",
                    () -> lane.await(
                            slots.acquire(() -> Map.of(new SlotRequest("batch 5", schedule), ask), TTL, PATIENCE),
                            PATIENCE));
            assertThat(three.values())
                    .singleElement()
                    .satisfies(row -> assertThat(row.holder()).isEqualTo("me"));
            var five = new LeaseKey(
                    "batch 5", "me", three.values().iterator().next().fence());
            var manyDone = Map.of(two, done, five, done);
            assertThat(flushed(
                            "release many done",
                            () -> lane.await(table.releaseDone(() -> manyDone, PATIENCE), PATIENCE)))
                    .hasSize(2);

            assertThat(flushed("make due", () -> orders.makeDue("batch 5", Set.of())))
                    .containsExactly("batch 5");
            assertThat(flushed("pause first", () -> orders.pauseFirst("paused", "a test")))
                    .isPresent();
            assertThat(flushed("pause", () -> orders.pause("paused", ""))).contains(true);
            var held = orders.unreleased("batch 3").orElseThrow();
            assertThat(flushed("release by force", () -> orders.releaseByForce(held)))
                    .isTrue();
        }
    }

    private static LeaseKey key(String name, Map<String, LeaseTable.Row> rows) {
        LeaseTable.Row row = Objects.requireNonNull(rows.get(name));
        return new LeaseKey(name, row.holder(), row.fence());
    }
}
