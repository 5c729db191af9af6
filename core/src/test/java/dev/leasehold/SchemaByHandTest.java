package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link LeaseSchema}: the tables as an operator or a tool for migrations makes them. */
class SchemaByHandTest {

    private static final String FOUR_COLUMNS = """
            create table leases (
              name text primary key,
              holder text not null,
              taken_at timestamptz not null default now(),
              expires_at timestamptz not null
            )
            """;

    private final LeaseSchema schema = LeaseSchema.of("leases");

    private static void assertUsable(TestDatabase database, String table) {
        try (var leases = Leases.on(database.dataSource())
                .table(table)
                .schema(SchemaMode.VALIDATE)
                .build()) {
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
            assertThat(leases.runHistory().build().runs(1)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatItPrintsCreatesTheTables(PostgresVersion version) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        assertThat(schema.missing(database.dataSource())).isEqualTo(schema.ddl());
        database.execute(schema.ddl());
        assertThat(schema.missing(database.dataSource())).isEmpty();
        assertUsable(database, "leases");
    }

    @ParameterizedTest
    @EnumSource
    void itIsAppliedOnceAndTellsWhatItDid(PostgresVersion version) {
        TestDatabase database = TestPostgres.freshDatabase(version);
        assertThat(schema.apply(database.dataSource())).isEqualTo(schema.ddl());
        assertThat(schema.apply(database.dataSource())).isEmpty();
        assertUsable(database, "leases");
    }

    @ParameterizedTest
    @EnumSource
    void aTableOfFourColumnsGetsWhatItLacksAndKeepsItsLeases(PostgresVersion version) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        database.execute(FOUR_COLUMNS);
        database.execute("insert into leases values ('held', 'old', now(), now() + interval '1 hour')");
        LeaseSchema alone = schema.withoutHistory();
        String missing = alone.missing(database.dataSource());
        assertThat(missing)
                .startsWith("alter table \"leases\" add column if not exists fence")
                .doesNotContain("create");
        assertThat(alone.apply(database.dataSource())).isEqualTo(missing);
        assertThat(alone.missing(database.dataSource())).isEmpty();
        assertThat(schema.missing(database.dataSource())).startsWith("-- The run history");
        assertThat(database.queryForString("select holder from leases where fence > 0 and name = 'held'"))
                .isEqualTo("old");
    }

    @Test
    void aRoleThatMayCreateNothingCanApplyWhereNothingIsMissing() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        String role = "role_of_" + database.name();
        database.execute("create role " + role + " login");
        var asRole = database.dataSourceAs(role, "");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> schema.apply(asRole))
                .withMessageStartingWith("the lease table \"leases\" is not usable: ")
                .withMessageContaining("permission denied for schema public");
        schema.apply(database.dataSource());
        assertThat(schema.apply(asRole)).isEmpty();
        assertThat(schema.missing(asRole)).isEmpty();
    }

    @Test
    void anyNameIsQuotedAndTheHistoryIsBesideIt() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create schema \"Jobs\"");
        LeaseSchema quoted = LeaseSchema.of("Jobs.My \"Leases\"? :name");
        database.execute(quoted.ddl());
        assertThat(quoted.missing(database.dataSource())).isEmpty();
        assertUsable(database, "Jobs.My \"Leases\"? :name");
    }

    @Test
    void aTableOfAnotherKindIsRefused() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create table leases (id int)");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> schema.missing(database.dataSource()))
                .withMessageContaining("is not a lease table");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> schema.apply(database.dataSource()))
                .withMessageContaining("is not a lease table");
        assertThat(database.queryForString("select to_regclass('round_runs')")).isNull();
    }
}
