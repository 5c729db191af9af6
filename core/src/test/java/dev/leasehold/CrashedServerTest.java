package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
}
