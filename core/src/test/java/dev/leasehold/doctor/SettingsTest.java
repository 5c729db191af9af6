package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings that bite, wherever they are set. */
class SettingsTest {

    private final List<String> cleanUp = new ArrayList<>();
    private TestDatabase database = TestPostgres.freshDatabase();

    @AfterEach
    void cleanUp() throws SQLException {
        for (String sql : cleanUp) {
            database.execute(sql);
        }
        cleanUp.clear();
    }

    private Finding told(String title) {
        return Told.the(FindingKind.SETTINGS, title, look(database.dataSource()));
    }

    private static Diagnosis look(DataSource dataSource) {
        return Doctor.on(dataSource).look();
    }

    private void ofDatabase(String setting) throws SQLException {
        database.execute("alter database " + database.name() + " set " + setting);
        cleanUp.add("begin read write; alter database " + database.name() + " reset all; commit");
    }

    private static List<List<String>> rowsOf(String roleOrDatabase, Finding finding) {
        return Found.rows(finding).stream()
                .filter(row -> row.contains(roleOrDatabase))
                .toList();
    }

    private String role() throws SQLException {
        String role = "role_of_" + database.name();
        database.execute("create role " + role + " login");
        cleanUp.add("drop role " + role);
        return role;
    }

    @ParameterizedTest
    @CsvSource({
        "idle_session_timeout, 10min, RISK",
        "idle_session_timeout, 3h, INFORMATION",
        "statement_timeout, 2s, RISK",
        "statement_timeout, 30s, INFORMATION",
        "lock_timeout, 20ms, RISK",
        "lock_timeout, 3s, INFORMATION",
        "idle_in_transaction_session_timeout, 1s, RISK",
        "idle_in_transaction_session_timeout, 10min, INFORMATION",
        "transaction_timeout, 3s, RISK",
        "transaction_timeout, 1h, INFORMATION",
        "default_transaction_isolation, serializable, RISK",
        "synchronous_commit, off, INFORMATION",
        "track_activities, off, RISK"
    })
    void whatBitesIsToldWithItsValueAndItsSource(String name, String value, Severity severity) throws SQLException {
        for (PostgresVersion version : PostgresVersion.values()) {
            if (name.equals("transaction_timeout") && version == PostgresVersion.OLDEST) {
                continue; // there is none before 17
            }
            database = TestPostgres.freshDatabase(version);
            ofDatabase(name + " = '" + value + "'");
            Finding told = told(name);
            assertThat(told.title()).startsWith(name + " is " + value + " here (database)");
            assertThat(told.severity()).isEqualTo(severity);
            assertThat(Found.rows(told)).contains(List.of(name, value, "database", database.user(), database.name()));
            assertThat(told.remedy().sql())
                    .containsExactly("alter database \"" + database.name() + "\" reset " + name + ";");
            cleanUp();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSettingOfAnotherRoleIsToldWithThatRoleAndIsARiskOnlyWhereItIsUsed(PostgresVersion version)
            throws SQLException {
        database = TestPostgres.freshDatabase(version);
        String role = role();
        database.execute("alter role " + role + " in database " + database.name() + " set statement_timeout = 1500");
        Finding unused = told("statement_timeout");
        assertThat(unused.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(unused.title())
                .startsWith("statement_timeout is 1500 for role " + role + " in database " + database.name());
        assertThat(Found.rows(unused))
                .contains(List.of("statement_timeout", "1500", "database user", role, database.name()));
        assertThat(unused.remedy().sql())
                .containsExactly(
                        "alter role \"" + role + "\" in database \"" + database.name() + "\" reset statement_timeout;");
        try (var use = database.dataSourceAs(role, "").getConnection()) {
            assertThat(use.isValid(30)).isTrue();
            assertThat(told("statement_timeout").severity()).isEqualTo(Severity.RISK);
        }
        Finding ofThatRole = Told.the(FindingKind.SETTINGS, "statement_timeout", look(database.dataSourceAs(role, "")));
        assertThat(ofThatRole.title()).startsWith("statement_timeout is 1500ms here (database user)");
        assertThat(rowsOf(database.name(), ofThatRole)).hasSize(1);
    }

    @Test
    void settingsOfRolesThatCannotLogInAndOfOneselfAreNotToldTwice() throws SQLException {
        String role = role();
        database.execute("alter role " + role + " nologin");
        database.execute("alter role " + role + " set lock_timeout = 10");
        ofDatabase("lock_timeout = '30ms'");
        assertThat(rowsOf(database.name(), told("lock_timeout"))).hasSize(1);
        assertThat(rowsOf(role, told("lock_timeout"))).isEmpty();
        database.execute("alter role " + role + " login");
        Finding told = told("lock_timeout");
        assertThat(told.title()).startsWith("lock_timeout is 30ms here (database), and ");
        assertThat(rowsOf(role, told)).containsExactly(List.of("lock_timeout", "10", "user", role, ""));
    }

    @Test
    void whatTheClientItselfHasSetIsToldAsTheClients() {
        DataSource own = database.dataSourceAs(
                database.user(), "&options=-c%20statement_timeout=4s%20-c%20default_transaction_read_only=on");
        Diagnosis diagnosis = look(own);
        assertThat(Told.the(FindingKind.SETTINGS, "statement_timeout", diagnosis)
                        .title())
                .startsWith("statement_timeout is 4s here (client)");
        assertThat(Told.the(FindingKind.READ_ONLY, "read-only", diagnosis)
                        .remedy()
                        .now())
                .contains("sent with the connection");
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseThatIsReadOnlyByDefaultIsAProblem(PostgresVersion version) throws SQLException {
        database = TestPostgres.freshDatabase(version);
        ofDatabase("default_transaction_read_only = on");
        Diagnosis diagnosis = look(database.dataSource());
        Finding told = Told.the(FindingKind.READ_ONLY, "read-only", diagnosis);
        assertThat(told.title()).isEqualTo("transactions are read-only by default here (database)");
        assertThat(told.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(told.remedy().sql())
                .containsExactly("alter database \"" + database.name() + "\" reset default_transaction_read_only;");
        assertThat(Told.text(diagnosis.findings())).doesNotContain("default_transaction_read_only is on here");
    }

    @Test
    void anotherRoleThatOnlyReadsIsInformation() throws SQLException {
        String role = role();
        database.execute("alter role " + role + " set default_transaction_read_only = on");
        try (var use = database.dataSourceAs(role, "").getConnection()) {
            assertThat(use.isValid(30)).isTrue();
            assertThat(told("default_transaction_read_only").severity()).isEqualTo(Severity.INFORMATION);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTheServersConfigurationItIsToldHowItWasGiven(PostgresVersion version) throws Exception {
        try (var server = TestServer.start(
                version,
                Map.of(
                        "default_transaction_isolation", "serializable",
                        "tcp_keepalives_idle", "60",
                        "tcp_keepalives_interval", "10",
                        "tcp_keepalives_count", "6"))) {
            TestDatabase own = server.freshDatabase();
            own.execute("alter system set autovacuum = off");
            own.execute("select pg_reload_conf()");
            Await.until("it is off", Duration.ofSeconds(30), () -> "off".equals(own.queryForString("show autovacuum")));
            Diagnosis diagnosis = look(own.dataSource());
            Finding file = Told.the(FindingKind.SETTINGS, "autovacuum is off here (configuration file)", diagnosis);
            assertThat(file.severity()).isEqualTo(Severity.RISK);
            assertThat(file.remedy().sql())
                    .containsExactly("alter system set autovacuum = 'on';", "select pg_reload_conf();");
            Finding start = Told.the(
                    FindingKind.SETTINGS,
                    "default_transaction_isolation is serializable here (command line)",
                    diagnosis);
            assertThat(start.remedy().now()).startsWith("It was given to the server when it was started");
            assertThat(Told.of(diagnosis, FindingKind.SETTINGS))
                    .as("a client that vanishes is noticed after two minutes")
                    .hasSize(2);
        }
    }

    @Test
    void aSessionLevelLockMakesARiskOfAVanishingClient() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(1)");
            Finding told = told("vanishes");
            assertThat(told.severity()).isEqualTo(Severity.RISK);
            assertThat(told.title())
                    .matches(
                            "the session of a client that vanishes lives on for 2 h 11 min, and \\d+ idle sessions? holds?"
                                    + " advisory locks");
        }
    }
}
