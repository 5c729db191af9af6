package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections are counted against the server's limits, those of roles and databases, and the budget, on real servers. */
@ResourceLock(DoctorServer.LOCK)
class ConnectionsTest {

    private static final String IN_USE = " usable connections are in use, this look's among them";
    private static final String LIMITS =
            " (max_connections is " + DoctorServer.MAX_CONNECTIONS + ", 3 of them kept for superusers)";

    private static List<Finding> connections(Diagnosis diagnosis) {
        return Found.of(FindingKind.CONNECTIONS, diagnosis);
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aHealthyDatabaseIsWell(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var quiet = DoctorServer.quietConnection(database, "postgres");
                var orders = new OpenSessions(database, "orders")) {
            orders.open(2);
            Diagnosis diagnosis = Doctor.on(quiet).look();
            assertThat(diagnosis.findings().stream().filter(finding -> finding.severity() != Severity.INFORMATION))
                    .isEmpty();
            assertThat(diagnosis.isWell()).isTrue();
            Finding finding = connections(diagnosis).get(0);
            assertThat(finding.title())
                    .isEqualTo("3 of " + DoctorServer.USABLE + IN_USE + ": max_connections is not the limit here"
                            + LIMITS);
            assertThat(finding.remedy()).isEqualTo(Remedy.none());
            assertThat(Found.rows(finding))
                    .contains(List.of("orders", "127.0.0.1", "postgres", database.name(), "2", "0", "2", "0", "0"));
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void fewConnectionsLeftAreARiskAndNoneAProblem(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var quiet = DoctorServer.quietConnection(database, "postgres");
                var orders = new OpenSessions(database, "orders", "ordinary")) {
            Doctor doctor = Doctor.on(quiet);
            orders.open(DoctorServer.USABLE - 4);
            assertThat(connections(doctor.look()).get(0).severity()).isEqualTo(Severity.RISK);
            orders.open(3);

            Finding finding = connections(doctor.look()).get(0);

            assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(finding.title())
                    .isEqualTo(
                            "no connection is left for ordinary roles: 17 of " + DoctorServer.USABLE + IN_USE + LIMITS);
            assertThat(finding.meaning()).contains("What is reserved is there for those who look and repair");
            assertThatThrownBy(() ->
                            Doctor.on(database.dataSourceAs("ordinary", "")).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageStartingWith("no connection is left: max_connections is used up")
                    .hasMessageContaining("superuser_reserved_connections")
                    .hasMessageContaining("remaining connection slots are reserved")
                    .hasMessageNotContaining("\n");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void notEvenASuperuserLooksOnceTheReservedOnesAreGone(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var quiet = DoctorServer.quietConnection(database, "postgres");
                var orders = new OpenSessions(database, "orders")) {
            orders.open(DoctorServer.MAX_CONNECTIONS - 1);
            assertThat(connections(Doctor.on(quiet).look()).get(0).title()).startsWith("no connection is left");
            assertThatThrownBy(() -> Doctor.on(database.dataSource()).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageStartingWith("no connection is left: ")
                    .hasMessageEndingWith("(FATAL: sorry, too many clients already)");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void theLimitsOfARoleAndADatabaseAreToldWhenTheyAreReached(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("alter database " + database.name() + " connection limit 3");
        try (var quiet = DoctorServer.quietConnection(database, "postgres");
                var narrow = new OpenSessions(database, "reports", "narrow")) {
            narrow.open(2);
            List<Finding> findings = connections(Doctor.on(quiet).look());
            assertThat(findings)
                    .extracting(Finding::severity, Finding::title)
                    .contains(
                            tuple(Severity.PROBLEM, "role narrow has 2 of its 2 connections"),
                            tuple(Severity.PROBLEM, "database " + database.name() + " has 3 of its 3 connections"));
            assertThatThrownBy(
                            () -> Doctor.on(database.dataSourceAs("narrow", "")).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageEndingWith("(FATAL: too many connections for role \"narrow\")");
            database.execute("alter database " + database.name() + " connection limit 1");
            assertThatThrownBy(() ->
                            Doctor.on(database.dataSourceAs("ordinary", "")).look())
                    .isInstanceOf(CouldNotLookException.class)
                    .hasMessageEndingWith("(FATAL: too many connections for database \"" + database.name() + "\")");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void connectionsAreHeldAgainstTheBudget(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var quiet = DoctorServer.quietConnection(database, "postgres");
                var orders = new OpenSessions(database, "orders")) {
            Doctor doctor = Doctor.on(quiet);
            orders.open(3);
            assertThat(Found.of(FindingKind.BUDGET, doctor.look())).isEmpty();
            assertThat(budget(doctor.withBudget(3)).severity()).isEqualTo(Severity.INFORMATION);
            assertThat(budget(doctor.withBudget(DoctorServer.USABLE + 1)).severity())
                    .isEqualTo(Severity.RISK);
            Finding over = budget(doctor.withBudget(2));
            assertThat(over.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(over.title())
                    .startsWith("3 connections are in use of a budget of 2; the server has 17 usable ones");
            assertThat(Found.column("application", over)).containsExactly("orders");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void processesOfTheServerAreNoClientsAlsoWhereTheirKindIsHidden(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var quiet = DoctorServer.quietConnection(database, "ordinary");
                var orders = new OpenSessions(database, "orders");
                var walsender = database.dataSourceAs(
                                "postgres", "&replication=database&preferQueryMode=simple&assumeMinServerVersion=14")
                        .getConnection()) {
            assertThat(walsender.isClosed()).isFalse();
            orders.open(1);
            workOfVacuum(database, true);
            String processes = "select count(distinct backend_type) from pg_stat_activity where datname = '"
                    + database.name() + "' and backend_type in ('autovacuum worker', 'walsender')";
            Await.until(
                    "a worker of autovacuum and a walsender are there",
                    Duration.ofSeconds(60),
                    () -> database.queryForLong(processes) == 2);
            Doctor doctor = Doctor.on(quiet).withBudget(1);
            Await.until(
                    "the sessions of the test itself are gone, and one is left",
                    Duration.ofSeconds(30),
                    () -> budget(doctor).title().startsWith("1 connection is in use of a budget of 1;"));
            Diagnosis diagnosis = doctor.look();
            assertThat(connections(diagnosis).get(0).title()).startsWith("2 of ");
            assertThat(Found.rows(Found.of(FindingKind.HIDDEN, diagnosis).get(0)))
                    .containsExactly(List.of("postgres", "1"));
            assertThat(doctor.capacity().connected()).isEqualTo(1);
            assertThat(database.queryForLong(processes)).isEqualTo(2);
        } finally {
            workOfVacuum(database, false);
        }
    }

    /** A table whose vacuum takes a minute, and the launcher of autovacuum that looks each second; or neither. */
    private static void workOfVacuum(TestDatabase database, boolean isThere) throws Exception {
        if (isThere) {
            database.execute("""
                    create table slow (n int, filler text) with (
                      autovacuum_vacuum_scale_factor = 0,
                      autovacuum_vacuum_threshold = 0,
                      autovacuum_vacuum_cost_delay = 100,
                      autovacuum_vacuum_cost_limit = 1)
                    """);
            database.execute("insert into slow select n, repeat('x', 1000) from generate_series(1, 4000) n");
            database.execute("delete from slow");
        } else {
            database.execute("drop table if exists slow");
        }
        DoctorServer.letAutovacuumLook(database, isThere);
    }

    private static Finding budget(Doctor doctor) {
        return Found.of(FindingKind.BUDGET, doctor.look()).get(0);
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void whatIsHiddenFromAnOrdinaryRoleIsSaid(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var quiet = DoctorServer.quietConnection(database, "ordinary");
                var orders = new OpenSessions(database, "orders");
                var own = new OpenSessions(database, "own", "ordinary")) {
            orders.open(2);
            own.open(1);
            Diagnosis diagnosis = Doctor.on(quiet).look();
            Finding hidden = Found.of(FindingKind.HIDDEN, diagnosis).get(0);
            assertThat(hidden.title()).isEqualTo("state, query and client of 2 sessions are hidden from role ordinary");
            assertThat(Found.rows(hidden)).containsExactly(List.of("postgres", "2"));
            assertThat(hidden.remedy().sql()).containsExactly("grant pg_monitor to \"ordinary\";");
            assertThat(Found.rows(connections(diagnosis).get(0)))
                    .contains(
                            List.of("orders", "hidden", "postgres", database.name(), "2", "0", "0", "0", "2"),
                            List.of("own", "127.0.0.1", "ordinary", database.name(), "1", "0", "1", "0", "0"));
            assertThat(Found.of(
                            FindingKind.HIDDEN,
                            Doctor.on(database.dataSourceAs("Sees%20All", "")).look()))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void sessionsThatDoNotTrackTheirActivityAreSaid(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var orders = new OpenSessions(database, "orders")) {
            orders.run("set track_activities = off", "select pg_advisory_lock(1)");
            orders.run("set track_activities = off", "select pg_advisory_lock(2)");
            Diagnosis diagnosis = Doctor.on(database.dataSource()).look();
            assertThat(Found.of(FindingKind.HIDDEN, diagnosis))
                    .extracting(Finding::title)
                    .containsExactly("track_activities is off for 2 sessions: what they do is unknown");
            assertThat(Found.of(FindingKind.LOCKS_ON_IDLE_CONNECTIONS, diagnosis))
                    .extracting(Finding::severity)
                    .containsExactly(Severity.PROBLEM);
        }
    }
}
