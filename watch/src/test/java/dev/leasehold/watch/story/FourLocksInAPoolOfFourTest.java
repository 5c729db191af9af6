package dev.leasehold.watch.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The failure that leases exist for, in the service itself: four exclusive jobs on its pool of four. */
class FourLocksInAPoolOfFourTest {

    private static final List<String> JOBS = List.of("sweep", "alerts", "mail", "uptime@node-a");

    private static final String IDLE_HOLDERS_OF_ADVISORY_LOCKS = """
            select count(distinct a.pid)
              from pg_locks l
              join pg_stat_activity a on a.pid = l.pid
             where l.locktype = 'advisory'
               and l.granted
               and a.state = 'idle'
               and a.datname = current_database()
            """;

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void sessionLevelAdvisoryLocksTakeTheInstanceOutOfRotationThoughNothingIsWrongWithTheDatabase() throws Exception {
        try (var instance = RunningInstance.on(database)) {
            assertThat(instance.answered("/health/ready").statusCode()).isEqualTo(200);
            DataSource pool = instance.bean(DataSource.class);
            var pinned = new ArrayList<Connection>();
            for (String job : JOBS) {
                pinned.add(lockAndKeepTheConnection(pool, job));
            }

            var ready = instance.get("/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("pool empty");
            assertThat(instance.get("/up").statusCode()).isEqualTo(200);
            assertThat(database.queryForLong(IDLE_HOLDERS_OF_ADVISORY_LOCKS)).isEqualTo(4);

            for (Connection connection : pinned) {
                connection.close();
            }
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(instance.get("/health/ready").statusCode())
                                    .isEqualTo(200));
        }
    }

    @Test
    void fourLeasesLeaveItReady() throws Exception {
        try (var instance = RunningInstance.on(database)) {
            var held = new ArrayList<Lease>();
            for (String job : JOBS) {
                held.add(instance.bean(Leases.class).tryAcquire(job).lease().orElseThrow());
            }
            assertThat(instance.answered("/health/ready").statusCode()).isEqualTo(200);
            assertThat(held).allMatch(Lease::isHeld);
            assertThat(database.queryForLong(IDLE_HOLDERS_OF_ADVISORY_LOCKS)).isZero();
            held.forEach(Lease::release);
        }
    }

    private static Connection lockAndKeepTheConnection(DataSource pool, String job) throws SQLException {
        Connection connection = pool.getConnection();
        try (var statement = connection.prepareStatement("select pg_try_advisory_lock(hashtext(?))")) {
            statement.setString(1, job);
            try (var rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getBoolean(1)).isTrue();
            }
        }
        return connection;
    }
}
