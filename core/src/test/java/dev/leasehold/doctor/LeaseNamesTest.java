package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that is in the way, missing or somebody else's never ends a look. */
@ResourceLock(DoctorServer.LOCK)
class LeaseNamesTest {

    private static String lockSeen(Doctor doctor) {
        Finding finding =
                Found.of(FindingKind.LOCKS_ON_IDLE_CONNECTIONS, doctor.look()).get(0);
        return Found.column("locks", finding).get(0);
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aTableOfAnySchemaIsReadIfItMayBe(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("create schema \"My Jobs\"");
        database.execute("create table \"My Jobs\".\"who?\" (name text primary key)");
        database.execute("insert into \"My Jobs\".\"who?\" values ('sweep')");
        try (var orders = new OpenSessions(database, "orders")) {
            orders.run("select pg_advisory_lock(hashtext('sweep'))");
            String number = database.queryForString("select hashtext('sweep')");
            String named = "hashtext('sweep') = bigint " + number;
            assertThat(lockSeen(Doctor.on(database.dataSource()).withTable("My Jobs.who?")))
                    .isEqualTo(named);
            assertThat(lockSeen(Doctor.on(database.dataSource()).withTable("My Jobs.other")))
                    .isEqualTo("bigint " + number);
            Doctor ordinary = Doctor.on(database.dataSourceAs("ordinary", "")).withTable("My Jobs.who?");
            assertThat(lockSeen(ordinary)).isEqualTo("bigint " + number);
            database.execute("grant usage on schema \"My Jobs\" to ordinary");
            assertThat(lockSeen(ordinary)).isEqualTo("bigint " + number);
            database.execute("grant select (name) on \"My Jobs\".\"who?\" to ordinary");
            assertThat(lockSeen(ordinary)).isEqualTo("bigint " + number);
            database.execute("grant select on \"My Jobs\".\"who?\" to ordinary");
            assertThat(lockSeen(ordinary)).isEqualTo(named);
            assertThat(database.serverLog()).noneMatch(line -> line.contains("permission denied"));
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aTableThatIsLockedOrOfAnotherShapeIsPassedOver(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        database.execute("create table leases (name text primary key)");
        database.execute("create table rents (tenant text)");
        try (var orders = new OpenSessions(database, "orders");
                var upgrade = new OpenSessions(database, "upgrade")) {
            orders.run("select pg_advisory_lock(42)");
            Doctor doctor = Doctor.on(database.dataSource()).withNames(List.of("sweep"));
            assertThat(lockSeen(doctor.withTable("rents"))).isEqualTo("bigint 42");
            upgrade.run("begin", "lock table leases");
            assertThat(lockSeen(doctor)).isEqualTo("bigint 42");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aTableThatCannotBeReadIsOneFinding(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var leases = Leases.on(database.dataSource()).build()) {
            assertThat(leases.tryRun("sweep", lease -> {})).isTrue();
        }
        database.execute("create function no() returns boolean language sql as 'select 1 / 0 = 1'");
        database.execute("create policy no on leases using (no())");
        database.execute("alter table leases enable row level security");
        database.execute("grant select on leases to ordinary");
        try (var orders = new OpenSessions(database, "orders")) {
            orders.run("select pg_advisory_lock(42)");
            Doctor doctor = Doctor.on(database.dataSourceAs("ordinary", ""));
            assertThat(Found.of(FindingKind.LEASE_TABLE, doctor.look()))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.title()).isEqualTo("the lease table public.leases could not be read");
                        assertThat(Found.rows(finding).get(0))
                                .containsExactly(
                                        "22012", "ERROR: division by zero Where: SQL function \"no\" during inlining");
                    });
            assertThat(lockSeen(doctor)).isEqualTo("bigint 42");
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void textOfAnotherEncodingIsShownEscaped(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        String latin = database.name() + "_latin";
        database.execute("create database " + latin + " template template0 encoding 'LATIN1' locale 'C'");
        try (var connection = TestDatabase.dataSource(database.jdbcUrl().replace(database.name(), latin))
                        .getConnection();
                var statement = connection.createStatement()) {
            statement.execute("begin");
            statement.execute("select 'grüße'");
            Finding finding = LongTransactionsTest.awaited(
                    FindingKind.LONG_TRANSACTIONS,
                    Doctor.on(database.dataSource()).withLongTransaction(Duration.ofMillis(100)));
            assertThat(Found.column("query", finding)).containsExactly("select 'gr\\374\\337e'");
        }
    }

    /** Functions that convert refuse what has no equivalent, and one query would end the look. */
    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aQueryWithoutEquivalentInTheDatabaseThatLooksIsShownByteByByte(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("begin");
            statement.execute("select 'Á it''s', E'\\\\'");
            for (String encoding : List.of("WIN1252", "EUC_JP", "SQL_ASCII")) {
                String other = database.name() + "_" + encoding.toLowerCase(Locale.ROOT);
                database.execute("create database " + other + " template template0 encoding '" + encoding
                        + "' lc_collate 'C' lc_ctype 'C'");
                var source = TestDatabase.dataSource(database.jdbcUrl().replace(database.name(), other));
                Finding finding = LongTransactionsTest.awaited(
                        FindingKind.LONG_TRANSACTIONS, Doctor.on(source).withLongTransaction(Duration.ofMillis(100)));
                assertThat(Found.column("query", finding))
                        .as(encoding)
                        .containsExactly("select '\\303\\201 it''s', E'\\\\\\\\'");
            }
        }
    }

    /** In a database that knows no encoding a name is any bytes, and the server refuses to send them as text. */
    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void namesThatAreNoTextAreShownByteByByte(PostgresVersion version) throws Exception {
        TestDatabase database = DoctorServer.freshDatabase(version);
        String bytes = database.name() + "_bytes";
        database.execute(
                "create database " + bytes + " template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'");
        var source = TestDatabase.dataSource(database.jdbcUrl().replace(database.name(), bytes));
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("do $$ begin execute 'create role \"r' || chr(228) || '\" login'; end $$");
            try {
                statement.execute("do $$ begin execute 'alter role \"r' || chr(228)"
                        + " || '\" set statement_timeout = 1000'; end $$");
                statement.execute("""
                        create table leases (
                          name text primary key, holder text not null, taken_at timestamptz, expires_at timestamptz)
                        """);
                statement.execute(
                        "insert into leases values ('l' || chr(228), 'h', now(), now() + interval '1 minute')");
                statement.execute("select pg_advisory_lock(hashtext('l' || chr(228)))");
                Diagnosis diagnosis = Doctor.on(source).look();
                assertThat(diagnosis.server().database()).isEqualTo(bytes);
                assertThat(Told.the(FindingKind.SETTINGS, "statement_timeout", diagnosis)
                                .title())
                        .endsWith("for role r\\344");
                assertThat(Found.column("name", Told.the(FindingKind.LEASES, "1 lease is held", diagnosis)))
                        .containsExactly("l\\344");
                assertThat(Found.column("locks", Told.the(FindingKind.LOCKS_ON_IDLE_CONNECTIONS, "1 of 1", diagnosis)))
                        .singleElement()
                        .asString()
                        .startsWith("hashtext('l\\344') = ");
            } finally {
                statement.execute("do $$ begin execute 'drop role \"r' || chr(228) || '\"'; end $$");
            }
        }
    }
}
