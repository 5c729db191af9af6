package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a table of the lease table's name is, and how it fares. */
class LeaseTablesTest {

    private static final String FIRST_FORM = """
            create table leases (
              name text primary key,
              holder text not null,
              taken_at timestamptz not null default now(),
              expires_at timestamptz not null)
            """;

    private TestDatabase database = TestPostgres.freshDatabase();
    private final List<String> roles = new ArrayList<>();

    @AfterEach
    void dropRoles() throws SQLException {
        for (String role : roles) {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
    }

    private String role() throws SQLException {
        String role = "role_of_" + database.name();
        database.execute("create role " + role + " login");
        roles.add(role);
        return role;
    }

    private void create(PostgresVersion version) {
        database = TestPostgres.freshDatabase(version);
        Leases.on(database.dataSource()).build().close();
    }

    private Diagnosis look() {
        return Doctor.on(database.dataSource()).look();
    }

    private Finding told(String title) {
        return Told.the(FindingKind.LEASE_TABLE, title, look());
    }

    @ParameterizedTest
    @EnumSource
    void theOldestFormIsReadAndSaidToBeOlder(PostgresVersion version) throws SQLException {
        database = TestPostgres.freshDatabase(version);
        database.execute(FIRST_FORM);
        database.execute(
                "insert into leases (name, holder, expires_at) values ('sweep', 'a', now() + interval '1 minute')");
        Diagnosis diagnosis = look();
        assertThat(Found.rows(Told.the(FindingKind.LEASES, "1 lease is held", diagnosis))
                        .get(0))
                .startsWith("sweep", "a")
                .endsWith("");
        Finding told = Told.the(FindingKind.LEASE_TABLE, "older form", diagnosis);
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(told.title()).endsWith("lacks deaths, done_slot, fence, pause_reason");
        assertThat(Told.of(diagnosis, FindingKind.LEASE_TABLE)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create table leases (id int) | it lacks the column name",
                "create table leases (name text, holder text, taken_at timestamptz, expires_at date)"
                        + " | its column expires_at is of type date",
                "create view leases as select 'a' as name, 'b' as holder, now() as taken_at, now() as expires_at | it is a view"
            })
    void anotherTableOfThatNameIsToldAndLeftAlone(String ddl, String why) throws SQLException {
        database.execute(ddl);
        Finding told = told("is not a lease table");
        assertThat(told.title()).startsWith("public.leases is not a lease table: " + why);
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(Told.of(look(), FindingKind.LEASES)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anOrdinaryRoleIsToldWhichGrantIsMissing(PostgresVersion version) throws SQLException {
        create(version);
        String role = role();
        Diagnosis diagnosis = Doctor.on(database.dataSourceAs(role, "")).look();
        Finding told = Told.the(FindingKind.LEASE_TABLE, "may not be read", diagnosis);
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(told.remedy().sql()).containsExactly("grant select on public.leases to \"" + role + "\";");
        assertThat(Told.of(diagnosis, FindingKind.LEASES)).isEmpty();

        database.execute("grant select (name, holder, taken_at, expires_at) on leases to " + role);
        database.execute(
                "insert into leases (name, holder, expires_at) values ('a', 'b', now() + interval '1 minute')");
        diagnosis = Doctor.on(database.dataSourceAs(role, "")).look();
        assertThat(Told.of(diagnosis, FindingKind.LEASE_TABLE)).isEmpty();
        assertThat(Told.of(diagnosis, FindingKind.LEASES)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs.leases", "leases"})
    void aSchemaThatMayNotBeUsedIsNoError(String name) throws SQLException {
        database.execute("create schema jobs");
        Leases.on(database.dataSource()).table("jobs.leases").build().close();
        String role = role();
        database.execute("alter role " + role + " set search_path = jobs");
        Finding told = Told.the(
                FindingKind.LEASE_TABLE,
                "jobs.leases",
                Doctor.on(database.dataSourceAs(role, "")).withTable(name).look());
        assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(told.remedy().sql()).contains("grant usage on schema jobs to \"" + role + "\";");
    }

    @Test
    void aTableThatTheSearchPathDoesNotReachIsNamed() throws SQLException {
        database.execute("create schema jobs");
        Leases.on(database.dataSource()).table("jobs.leases").build().close();
        assertThat(told("does not reach").remedy())
                .isEqualTo(Remedy.now(
                        "Look again with the table jobs.leases (leasehold doctor --table, or Doctor.withTable)."));
        assertThat(Told.of(
                        Doctor.on(database.dataSource())
                                .withTable("jobs.leases")
                                .look(),
                        FindingKind.LEASE_TABLE))
                .isEmpty();
    }

    @Test
    void aTableThatWasAskedForAndIsNotThereIsInformationAndOtherwiseNothingIsSaid() {
        assertThat(Told.of(look(), FindingKind.LEASE_TABLE)).isEmpty();
        for (String name : List.of("leases", "jobs.leases", "Leases", "a\"b?c")) {
            Diagnosis diagnosis =
                    Doctor.on(database.dataSource()).withTable(name).look();
            assertThat(Told.the(FindingKind.LEASE_TABLE, "there is no table", diagnosis)
                            .severity())
                    .isEqualTo(Severity.INFORMATION);
        }
    }

    @Test
    void anyNameIsReadAsItIs() {
        Leases.on(database.dataSource()).table("a \"b? 'c$1").build().close();
        Diagnosis diagnosis =
                Doctor.on(database.dataSource()).withTable("a \"b? 'c$1").look();
        assertThat(Told.of(diagnosis, FindingKind.LEASE_TABLE)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aLockedTableIsAProblemAndTheRestOfTheLookGoesOn(PostgresVersion version) throws SQLException {
        create(version);
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table leases");
            Diagnosis diagnosis = look();
            Finding told = Told.the(FindingKind.LEASE_TABLE, "is locked", diagnosis);
            assertThat(told.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(Found.rows(told))
                    .singleElement()
                    .satisfies(row -> assertThat(row).contains("has it", "postgres", "idle in transaction"));
            assertThat(told.remedy().sql())
                    .containsExactly("select pg_terminate_backend("
                            + told.evidence().rows().get(0).get(0) + ");");
            connection.rollback();
        }
        assertThat(Told.of(look(), FindingKind.LEASE_TABLE)).isEmpty();
    }

    @Test
    void anIndexOnWhatRenewalsChangeIsARisk() throws SQLException {
        create(PostgresVersion.NEWEST);
        risk("create index on leases (expires_at)", "drop index concurrently public.leases_expires_at_idx");
        risk("create index odd on leases (name) include (expires_at)", "drop index concurrently public.odd");
        risk("create index odd on leases (name) where expires_at > 'epoch'", "drop index concurrently public.odd");
        risk("create index odd on leases ((expires_at at time zone 'UTC'))", "drop index concurrently public.odd");
        risk(
                "alter table leases add constraint \"Odd\" unique (name, holder)",
                "alter table public.leases drop constraint \"Odd\"");
    }

    private void risk(String ddl, String drop) throws SQLException {
        database.execute(ddl);
        Finding told = told("index of the lease table depends");
        assertThat(told.severity()).isEqualTo(Severity.RISK);
        assertThat(told.remedy().sql()).containsExactly(drop + ";");
        database.execute(told.remedy().sql().get(0));
        assertThat(Told.of(look(), FindingKind.LEASE_TABLE)).isEmpty();
    }

    @Test
    void anIndexOnWhatStaysTheSameIsNotTold() throws SQLException {
        create(PostgresVersion.OLDEST);
        database.execute("create index on leases (name text_pattern_ops)");
        assertThat(Told.of(look(), FindingKind.LEASE_TABLE)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void howTheTableIsConfiguredIsTold(PostgresVersion version) throws SQLException {
        create(version);
        database.execute("alter table leases reset (fillfactor), set (autovacuum_enabled = off)");
        assertThat(told("fillfactor is 100").severity()).isEqualTo(Severity.INFORMATION);
        assertThat(told("autovacuum is off").severity()).isEqualTo(Severity.RISK);
        database.execute("alter table leases drop constraint leases_pkey");
        assertThat(told("neither a primary key").severity()).isEqualTo(Severity.PROBLEM);
    }

    @ParameterizedTest
    @EnumSource
    void deadRowsAndBloatAreARiskUntilTheRemedyIsTaken(PostgresVersion version) throws Exception {
        create(version);
        database.execute("alter table leases set (autovacuum_enabled = off)");
        database.execute("""
                insert into leases (name, holder, expires_at)
                select 'lease ' || n || repeat('x', 450), 'a', 'epoch' from generate_series(1, 20000) n
                """);
        database.execute("delete from leases where name not like 'lease 1x%'");
        Await.until(
                "it is counted",
                Duration.ofSeconds(30),
                () -> database.queryForLong("select n_dead_tup from pg_stat_user_tables where relname = 'leases'")
                        > 15_000);
        Finding dead = told("dead rows");
        assertThat(dead.title()).isEqualTo("19,999 dead rows in the lease table, for 1 live");
        assertThat(dead.severity()).isEqualTo(Severity.RISK);
        Finding size = told("the lease table has ");
        assertThat(size.title()).matches("the lease table has \\d\\d MB for 1 row");
        assertThat(size.severity()).isEqualTo(Severity.RISK);
        assertThat(size.evidence().columns())
                .extracting(Column::key)
                .containsExactly("bytes", "index_bytes", "live", "dead", "updates", "hot", "vacuumed_ago_seconds");
        Finding indexes = told("the indexes of the lease table have ");
        assertThat(indexes.title()).matches("the indexes of the lease table have \\d+ MB for 1 row");
        assertThat(indexes.severity()).isEqualTo(Severity.RISK);
        Await.until("nobody keeps the dead entries in them", Duration.ofSeconds(30), () -> {
            database.execute(indexes.remedy().sql().get(0));
            return Told.of(look(), FindingKind.LEASE_TABLE).stream()
                    .noneMatch(finding -> finding.title().startsWith("the indexes"));
        });
        Await.until("nobody keeps the dead rows from it", Duration.ofSeconds(30), () -> {
            for (String sql : size.remedy().sql()) {
                database.execute(sql);
            }
            return Told.of(look(), FindingKind.LEASE_TABLE).size() == 1;
        });
        assertThat(told("autovacuum is off for the lease table").severity()).isEqualTo(Severity.RISK);
    }

    @ParameterizedTest
    @EnumSource
    void updatesThatAreNotHotAreARisk(PostgresVersion version) throws Exception {
        database = TestPostgres.freshDatabase(version);
        database.execute(FIRST_FORM);
        database.execute("insert into leases select 'lease ' || n, 'a', now(), now() from generate_series(1, 6000) n");
        database.execute("update leases set expires_at = expires_at + interval '1 s'");
        database.execute("update leases set expires_at = expires_at + interval '1 s'");
        Await.until(
                "it is counted",
                Duration.ofSeconds(30),
                () -> database.queryForLong("select n_tup_upd from pg_stat_user_tables where relname = 'leases'")
                        == 12_000);
        Finding told = told("were not HOT");
        assertThat(told.severity()).isEqualTo(Severity.RISK);
        assertThat(told.title()).matches("1?\\d,\\d{3} of 12,000 updates of the lease table were not HOT");
    }
}
