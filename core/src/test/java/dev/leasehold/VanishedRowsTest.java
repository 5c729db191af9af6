package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows and tables that go or come back behind the back of the leases. */
class VanishedRowsTest {

    private static final Duration BRIEF = Duration.ofSeconds(4);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<Leases> opened = new ArrayList<>();
    private final Leases leases = leases();

    private Leases leases() {
        return opened(Leases.on(database.dataSource())
                .renewEvery(Duration.ofMillis(500))
                .build());
    }

    private Leases opened(Leases built) {
        opened.add(built);
        return built;
    }

    @AfterEach
    void close() {
        opened.forEach(Leases::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete from leases", "truncate leases"})
    void aRowThatVanishesBetweenHoldsIsMadeAgainWithALargerFence(String vanish) throws SQLException {
        long last = 0;
        for (int i = 0; i < 3; i++) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            assertThat(lease.fence()).isGreaterThan(last);
            last = lease.fence();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            database.execute(vanish);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete from leases", "truncate leases"})
    void aRowThatVanishesDuringAHoldEndsItAndTheNextHolderHasALargerFence(String vanish) throws Exception {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        database.execute(vanish);
        var next = leases().tryAcquire("sweep").lease().orElseThrow();
        assertThat(next.fence()).isGreaterThan(lease.fence());
        Await.until("told", LIMIT, () -> lease.state() == LeaseState.LOST);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(next.isHeld()).isTrue();
        assertThat(leases().tryAcquire("sweep").lease()).isEmpty();
    }

    @Test
    void aTableThatIsDroppedAndMadeAgainDuringAHoldEndsItAndServesTheNext() throws Exception {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        database.execute("drop table leases");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.tryAcquire("alerts"))
                .withMessageContaining("is the lease table created");
        assertThat(lease.state()).as("nobody can have taken it").isNotEqualTo(LeaseState.LOST);
        var later = leases();
        Await.until("told", LIMIT, () -> lease.state() == LeaseState.LOST);
        var next = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThat(next.fence()).isGreaterThan(lease.fence());
        assertThat(later.tryAcquire("sweep").lease()).isEmpty();
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aTableThatIsGoneForAWhileDuringAHoldLeavesTheHolderUnconfirmedAtMostAndTheRenewalAlive() throws Exception {
        var brief = opened(Leases.on(database.dataSource()).ttl(BRIEF).build());
        var lease = brief.tryAcquire("sweep", LIMIT).lease().orElseThrow();
        database.execute("alter table leases rename to away");
        Await.until("no longer held", LIMIT, () -> !lease.isHeld());
        assertThat(lease.state()).isEqualTo(LeaseState.UNCONFIRMED);
        database.execute("alter table away rename to leases");
        Await.until("held again: the row is still its own", LIMIT, lease::isHeld);
    }

    @Test
    void aDumpRestoredWithOldRowsGivesNoFenceTwice() throws Exception {
        var first = leases.tryAcquire("sweep").lease().orElseThrow();
        first.release();
        database.execute("create table dump as select * from leases");
        long last = first.fence();
        for (int i = 0; i < 3; i++) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            last = lease.fence();
            lease.release();
        }
        restore();
        assertThat(leases.tryAcquire("sweep").lease().orElseThrow().fence()).isGreaterThan(last);
    }

    @Test
    void aDumpRestoredUnderAHolderEndsItsHold() throws Exception {
        leases.tryAcquire("sweep").lease().orElseThrow().release();
        database.execute("create table dump as select * from leases");
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        restore();
        var next = leases().tryAcquire("sweep").lease().orElseThrow();
        assertThat(next.fence()).isGreaterThan(lease.fence());
        Await.until("told", LIMIT, () -> lease.state() == LeaseState.LOST);
    }

    private void restore() throws SQLException {
        database.execute("begin; truncate leases; insert into leases select * from dump; commit");
    }
}
