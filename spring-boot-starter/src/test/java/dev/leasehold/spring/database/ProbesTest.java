package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.spring.running.RunningApplication;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What Spring Boot's probes say over HTTP. */
class ProbesTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String LIVENESS = "/actuator/health/liveness";
    private static final String READINESS = "/actuator/health/readiness";
    private static final String IN_THE_GROUP =
            "management.endpoint.health.group.readiness.include=readinessState,databaseReadiness";

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static void awaitStatus(RunningApplication application, String path, int status) {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(application.get(path).statusCode()).isEqualTo(status));
    }

    /** Those of applications that have ended may take a moment to end. */
    private static Set<Thread> probeThreadsBut(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leasehold-readiness") && !before.contains(thread))
                .collect(Collectors.toSet());
    }

    @Test
    void aSilentDatabaseMakesItUnreadyWithinTheBoundAndNeverDeadAndItRecovers() throws Exception {
        Set<Thread> before = probeThreadsBut(Set.of());
        try (var wire = Wire.to(database);
                var application = RunningApplication.on(wire.jdbcUrl(database), IN_THE_GROUP)) {
            awaitStatus(application, READINESS, 200);
            wire.become(Wire.Mode.SILENT);
            for (int time = 0; time < 3; time++) {
                long start = System.nanoTime();
                HttpResponse<String> ready = application.get(READINESS);
                assertThat(ready.statusCode()).isEqualTo(503);
                assertThat(ready.body()).contains("\"status\":\"DOWN\"").contains("\"reason\":\"database away\"");
                // the pool would have it wait for half a minute
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
                assertThat(application.get(LIVENESS).statusCode()).isEqualTo(200);
            }
            assertThat(probeThreadsBut(before)).hasSize(1);
            wire.become(Wire.Mode.CUT);
            wire.become(Wire.Mode.WHOLE);
            awaitStatus(application, READINESS, 200);
        }
    }

    @Test
    void aFullPoolMakesItUnreadyWithThatReason() throws Exception {
        try (var application = RunningApplication.on(
                database.jdbcUrl(), IN_THE_GROUP, "spring.datasource.hikari.maximum-pool-size=4")) {
            List<Connection> borrowed = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                borrowed.add(application.bean(DataSource.class).getConnection());
            }
            HttpResponse<String> ready = application.get(READINESS);
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"reason\":\"pool empty\"").contains("pool of 4");
            assertThat(application.get(LIVENESS).statusCode()).isEqualTo(200);
            for (Connection connection : borrowed) {
                connection.close();
            }
            awaitStatus(application, READINESS, 200);
        }
    }

    @Test
    void aRoleThatMayOnlyReadMakesItUnreadyAndItRecoversWithoutARestart() throws Exception {
        String role = "writer_" + database.name();
        database.execute("create role \"" + role + "\" login");
        database.execute("alter role \"" + role + "\" set default_transaction_read_only = on");
        try (var application = RunningApplication.on(
                database.jdbcUrl().replaceAll("user=.*", "user=" + role),
                IN_THE_GROUP,
                "leasehold.enabled=false",
                "leasehold.readiness.timeout=15s")) {
            HttpResponse<String> ready = application.get(READINESS);
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"reason\":\"read only\"");
            assertThat(application.get(LIVENESS).statusCode()).isEqualTo(200);
            database.execute("alter role \"" + role + "\" reset default_transaction_read_only");
            awaitStatus(application, READINESS, 200);
        }
    }

    @Test
    void leasesWhoseRenewalsFailAreToldAndNoProbeOfSpringBootsOwnDependsOnThem() throws Exception {
        try (var wire = Wire.to(database);
                var application = RunningApplication.on(wire.jdbcUrl(database), "leasehold.ttl=6s")) {
            String leasesPath = "/actuator/health/leases";
            assertThat(application.get(leasesPath).body()).isEqualTo("{\"details\":{\"held\":0},\"status\":\"UP\"}");
            Lease lease =
                    application.bean(Leases.class).tryAcquire("sweep").lease().orElseThrow();
            awaitStatus(application, leasesPath, 200);
            wire.become(Wire.Mode.CUT);
            awaitStatus(application, leasesPath, 503);
            assertThat(application.get(leasesPath).body()).contains("\"renewalFails\":[\"sweep\"]");
            assertThat(application.get(LIVENESS).statusCode()).isEqualTo(200);
            assertThat(application.get(READINESS).statusCode())
                    .as("not asked for")
                    .isEqualTo(200);
            assertThat(application.get("/actuator/health/databaseReadiness").statusCode())
                    .isEqualTo(503);
            wire.become(Wire.Mode.WHOLE);
            awaitStatus(application, leasesPath, 200);
            lease.release();
        }
    }
}
