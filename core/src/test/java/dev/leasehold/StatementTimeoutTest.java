package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A lease that stands in line for its locked row, where a time-out of the role ends every statement before long. */
class StatementTimeoutTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<Lease> failed = new CopyOnWriteArrayList<>();

    private final LeaseListener listener = new LeaseListener() {
        @Override
        public void renewalFailed(Lease lease, Duration timeLeft) {
            failed.add(lease);
        }
    };

    @Test
    void itStandsInLineAgainAtOnceWhenTheServerHasEndedItsWait() throws Exception {
        Leases.on(database.dataSource()).build().close();
        database.execute("insert into leases (name, holder, expires_at, fence)"
                + " values ('sweep', 'me', now() + interval '1 minute', 1)");
        var impatient = database.dataSourceAs(database.user(), "&options=-c%20statement_timeout=500");
        try (var parts = Parts.of(impatient, Duration.ofMinutes(2), Ticker.system(), listener);
                var line = new InLine(parts.wiring(), parts.renewer());
                var locker = database.connect();
                var statement = locker.createStatement()) {
            Reading sent = parts.wiring().ticker().read();
            var lease = parts.lease("sweep", sent);
            parts.renewer().add(lease, sent);
            locker.setAutoCommit(false);
            statement.execute("select * from leases for update");
            line.join(new Renewing(lease, sent));
            Set<String> turns = new HashSet<>();
            Await.until("in line for the third time", LIMIT, () -> {
                assertThat(failed).isEmpty();
                inLineSince().ifPresent(turns::add);
                return turns.size() >= 3;
            });
            locker.rollback();
            Await.until("renewed", LIMIT, this::isRenewed);
        }
        assertThat(failed).isEmpty();
    }

    private boolean isRenewed() throws Exception {
        return database.queryForLong("select count(*) from leases where expires_at > now() + interval '1 minute'") == 1;
    }

    private Optional<String> inLineSince() throws Exception {
        return Optional.ofNullable(database.queryForString("""
                        select min(query_start)
                          from pg_stat_activity
                         where datname = current_database()
                           and wait_event_type = 'Lock'
                           and query like '%pg_advisory_xact_lock%'
                        """));
    }
}
