package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs that still use the original statements, upsert, update and delete, beside ours on one table. */
class OriginalStatementsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Events events = new Events();
    private final Leases leases = Leases.on(database.dataSource())
            .renewEvery(Duration.ofMillis(500))
            .listener(events)
            .build();

    @AfterEach
    void close() {
        leases.close();
    }

    private static boolean isChanged(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            return statement.executeUpdate(sql) == 1;
        }
    }

    private boolean isChanged(String sql) throws SQLException {
        try (var connection = database.connect()) {
            return isChanged(connection, sql);
        }
    }

    private static boolean theyAcquire(Connection connection) throws SQLException {
        return isChanged(connection, """
                insert into leases (name, holder, taken_at, expires_at)
                values ('sweep', 'theirs', now(), now() + interval '2 minutes')
                on conflict (name) do update
                   set holder = excluded.holder, taken_at = now(), expires_at = excluded.expires_at
                 where leases.expires_at < now()
                """);
    }

    private boolean theyAcquire() throws SQLException {
        try (var connection = database.connect()) {
            return theyAcquire(connection);
        }
    }

    private boolean theyRenew() throws SQLException {
        return isChanged("""
                update leases
                   set expires_at = now() + interval '2 minutes'
                 where name = 'sweep' and holder = 'theirs'
                """);
    }

    private boolean theyRelease() throws SQLException {
        return isChanged("delete from leases where name = 'sweep' and holder = 'theirs'");
    }

    private void theirsRunsOut() throws SQLException {
        assertThat(isChanged(
                        "update leases set expires_at = clock_timestamp() - interval '1 ms' where holder = 'theirs'"))
                .isTrue();
    }

    private Lease acquired() {
        return leases.tryAcquire("sweep").lease().orElseThrow();
    }

    @Test
    void eachExcludesTheOtherUntilItReleases() throws SQLException {
        var ours = acquired();
        assertThat(theyAcquire()).isFalse();
        ours.release();
        assertThat(theyAcquire()).isTrue();
        assertThat(leases.tryAcquire("sweep").lease()).isEmpty();
        assertThat(theyRelease()).isTrue();
        assertThat(acquired().fence()).isGreaterThan(ours.fence());
    }

    @Test
    void theirRenewalKeepsOursOut() throws SQLException {
        assertThat(theyAcquire()).isTrue();
        theirsRunsOut();
        assertThat(theyRenew()).as("nobody had taken it over").isTrue();
        assertThat(leases.tryAcquire("sweep"))
                .isInstanceOfSatisfying(
                        Acquisition.Busy.class,
                        busy -> assertThat(busy.holder()).contains("theirs"));
    }

    @Test
    void whatTheyLetRunOutIsTakenOverAndTheirRenewalAndReleaseChangeNothingThen() throws SQLException {
        assertThat(theyAcquire()).isTrue();
        theirsRunsOut();
        var ours = acquired();
        assertThat(ours.deaths()).isEqualTo(1);
        assertThat(theyRenew()).isFalse();
        assertThat(theyRelease()).isFalse();
        assertThat(theyAcquire()).isFalse();
        assertThat(ours.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(events.seen()).doesNotContain("lost TAKEN_OVER");
    }

    @Test
    void whatOursLetRunOutTheyTakeOverAndOurHolderIsTold() throws Exception {
        var ours = acquired();
        try (var theirs = database.connect()) {
            theirs.setAutoCommit(false); // so that no renewal comes between
            assertThat(isChanged(theirs, "update leases set expires_at = now() - interval '1 ms'"))
                    .isTrue();
            assertThat(theyAcquire(theirs)).isTrue();
            theirs.commit();
        }
        Await.until("told", LIMIT, () -> events.seen().contains("lost TAKEN_OVER"));
        assertThat(ours.state()).isEqualTo(LeaseState.LOST);
        try (var connection = database.connect()) {
            connection.setAutoCommit(false);
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> ours.fence(connection));
            connection.rollback();
        }
        assertThat(ours.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(theyRenew()).as("neither renewed nor released by ours").isTrue();
        theirsRunsOut();
        assertThat(acquired().fence()).isGreaterThan(ours.fence());
    }
}
