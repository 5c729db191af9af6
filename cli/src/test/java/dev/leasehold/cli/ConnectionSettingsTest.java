package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of URL, service, environment and defaults; no database is asked. */
class ConnectionSettingsTest {

    @TempDir
    Path home;

    private final List<String> warnings = new ArrayList<>();

    private ConnectionSettings settings(String url, Map<String, String> environment) {
        var surroundings = new Surroundings(environment, home, "alice", Terminal.none(), InputStream.nullInputStream());
        return ConnectionSettings.of(
                url.isEmpty() ? Optional.empty() : Optional.of(ConnectionUrl.parse("--url", url)),
                surroundings,
                warnings::add);
    }

    private ConnectionSettings settings(String url) {
        return settings(url, Map.of());
    }

    private void assertRefused(String url, String... parts) {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> settings(url))
                .satisfies(failure -> assertThat(failure.line()).contains(parts));
    }

    @Test
    void withNothingSaidItIsTheUsersOwnDatabaseOnThisMachine() {
        ConnectionSettings settings = settings("");
        assertThat(settings.jdbcUrl()).isEqualTo("jdbc:postgresql://localhost:5432/alice");
        assertThat(settings.properties())
                .containsOnly(
                        Map.entry("user", "alice"),
                        Map.entry("ApplicationName", "leasehold"),
                        Map.entry("prepareThreshold", "0"),
                        Map.entry("tcpKeepAlive", "true"),
                        Map.entry("connectTimeout", "10"),
                        Map.entry("loginTimeout", "10"),
                        Map.entry("socketTimeout", "30"));
        assertThat(settings.place()).isEqualTo("localhost:5432, database alice, as alice");
    }

    @Test
    void theUrlComesBeforeTheEnvironmentPieceByPiece() {
        ConnectionSettings settings = settings(
                "postgres://bob@db/app?application_name=mine",
                Map.of(
                        "PGHOST", "other",
                        "PGPORT", "6000",
                        "PGUSER", "eve",
                        "PGPASSWORD", "s3cret",
                        "PGAPPNAME", "theirs",
                        "PGOPTIONS", "-c search_path=jobs",
                        "PGCONNECT_TIMEOUT", "3",
                        "PGDATABASE", ""));
        assertThat(settings.place()).isEqualTo("db:6000, database app, as bob");
        assertThat(settings.properties())
                .contains(
                        Map.entry("user", "bob"),
                        Map.entry("password", "s3cret"),
                        Map.entry("ApplicationName", "mine"),
                        Map.entry("options", "-c search_path=jobs"),
                        Map.entry("connectTimeout", "3"));
    }

    @Test
    void aParameterOfTheDriverCountsLikeTheOneOfLibpqThatMeansTheSame() {
        ConnectionSettings settings = settings(
                "jdbc:postgresql://db/app?ApplicationName=mine&prepareThreshold=5&connectTimeout=60&tcpKeepAlive=false",
                Map.of("PGAPPNAME", "theirs"));
        assertThat(settings.properties())
                .contains(
                        Map.entry("ApplicationName", "mine"),
                        Map.entry("prepareThreshold", "5"),
                        Map.entry("connectTimeout", "60"),
                        Map.entry("loginTimeout", "60"),
                        Map.entry("tcpKeepAlive", "false"));
    }

    @ParameterizedTest
    @CsvSource({
        "target_session_attrs=read-write, targetServerType, primary",
        "target_session_attrs=prefer-standby, targetServerType, preferSecondary",
        "load_balance_hosts=random, loadBalanceHosts, true",
        "channel_binding=require, channelBinding, require",
        "keepalives=0, tcpKeepAlive, false",
        "require_auth=scram-sha-256, requireAuth, scram-sha-256",
        "gssencmode=disable, gssEncMode, disable",
        "krbsrvname=pg, kerberosServerName, pg",
        "sslnegotiation=direct, sslNegotiation, direct",
        "connect_timeout=2, connectTimeout, 2",
        "connect_timeout=-1, connectTimeout, 0",
        "fallback_application_name=psql, ApplicationName, psql",
        "ssl=true, sslmode, require",
        "sslmode=verify-full, sslmode, verify-full",
        "sslrootcert=system, sslmode, verify-full",
        "currentSchema=jobs, currentSchema, jobs",
    })
    void parametersOfLibpqBecomeTheDrivers(String parameter, String name, String value) {
        assertThat(settings("postgres://db/app?" + parameter).properties()).contains(Map.entry(name, value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keepalives_idle=30",
                "client_encoding=utf8",
                "sslsni=1",
                "ssl_min_protocol_version=TLSv1.2",
                "gssdelegation=0",
                "sslcompression=0"
            })
    void whatChangesNothingIsLeftOut(String parameter) {
        assertThat(settings("postgres://db/app?" + parameter).properties())
                .isEqualTo(settings("postgres://db/app").properties());
    }

    /** The password was meant to be {@code abc&Secret=x}. */
    @Test
    void anUnknownNameIsNotToldForItMayBeAPieceOfAPassword() {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> settings("postgres://db/app?password=abc&Secret=x"))
                .withMessageContaining("--url: a parameter is not one that the JDBC driver")
                .withMessageNotContaining("ecret");
    }

    @Test
    void whatCouldNotBeKeptIsRefusedByItsNameAndWithoutItsValue() {
        assertRefused("postgres://db/app?sslcrl=s3cret", "--url: the parameter sslcrl is not one that the JDBC driver");
        assertRefused("postgres://db/app?sslmod=s3cret", "--url: a parameter is not one", "did you mean sslmode?");
        assertRefused("postgres://db/app?target_session_attrs=best", "target_session_attrs must be one of any, ");
        assertRefused("postgres://db/app?ssl_min_protocol_version=TLSv1.3", "ssl_min_protocol_version");
        assertRefused("postgres://db/app?connect_timeout=soon", "connect_timeout must be a whole number of seconds");
        assertRefused("postgres://db/app?sslrootcert=system&sslmode=require", "sslmode=verify-full only");
        assertRefused("postgres://%2Fvar%2Frun%2Fpostgresql/app", "/var/run/postgresql", "TCP only");
        assertRefused("postgres:///app?host=/tmp", "/tmp", "TCP only");
        assertRefused("postgres://a,b/app?port=1,2,3", "port must have one number");
        assertRefused("postgres://a/app?hostaddr=127.0.0.1&sslmode=verify-full", "hostaddr", "leave hostaddr out");
    }

    @Test
    void severalHostsAreTriedInTurnEachWithItsTime() {
        ConnectionSettings settings = settings("postgresql://a:1,b,[::1]:3/app", Map.of("PGPORT", "9"));
        assertThat(settings.jdbcUrl()).isEqualTo("jdbc:postgresql://a:1,b:5432,[::1]:3/app");
        assertThat(settings.place()).isEqualTo("a:1,b:5432,[::1]:3, database app, as alice");
        assertThat(settings.properties()).contains(Map.entry("connectTimeout", "10"), Map.entry("loginTimeout", "30"));
        assertThat(settings("", Map.of("PGHOST", "a,::1", "PGPORT", "7")).jdbcUrl())
                .isEqualTo("jdbc:postgresql://a:7,[::1]:7/alice");
    }

    @Test
    void aHostAddressIsGoneToAndTheHostIsNamed() {
        ConnectionSettings settings = settings("postgresql://db/app?hostaddr=10.0.0.1");
        assertThat(settings.jdbcUrl()).startsWith("jdbc:postgresql://10.0.0.1:5432/");
        assertThat(settings.place()).startsWith("db:5432, ");
        assertThat(settings("", Map.of("PGHOSTADDR", "10.0.0.1,10.0.0.2")).place())
                .startsWith("10.0.0.1:5432,10.0.0.2:5432, ");
    }

    @Test
    void aServiceStandsBetweenTheUrlAndTheEnvironment() throws Exception {
        Files.writeString(home.resolve(".pg_service.conf"), """
                # services
                [other]
                host=wrong
                [prod]
                host=db.prod
                user = ops
                dbname=app
                """);
        var environment = Map.of("PGSERVICE", "prod", "PGHOST", "other", "PGPORT", "7");
        assertThat(settings("", environment).place()).isEqualTo("db.prod:7, database app, as ops");
        assertThat(settings("postgresql://bob@/?service=prod").place()).isEqualTo("db.prod:5432, database app, as bob");
        assertRefused("postgresql:///?service=none", "the service none is not in ", ".pg_service.conf");
    }

    @Test
    void requireWithARootCertificateVerifiesAsPsqlDoes() throws Exception {
        assertThat(settings("postgres://db/app?sslmode=require").properties())
                .contains(Map.entry("sslmode", "require"));
        assertThat(settings("postgres://db/app?sslmode=require&sslrootcert=ca.crt")
                        .properties())
                .contains(Map.entry("sslmode", "verify-ca"));
        assertThat(settings("jdbc:postgresql://db/app?sslmode=require&sslrootcert=ca.crt")
                        .properties())
                .contains(Map.entry("sslmode", "require"));
        Path root = Files.createDirectory(home.resolve(".postgresql")).resolve("root.crt");
        Files.writeString(root, "");
        assertThat(settings("postgres://db/app?sslmode=require").properties())
                .contains(Map.entry("sslmode", "verify-ca"), Map.entry("sslrootcert", root.toString()));
    }

    @Test
    void nothingThatIsPrintedHoldsThePassword() {
        ConnectionSettings settings = settings("postgres://bob:s3cret@db/app");
        assertThat(settings.place() + settings + settings.jdbcUrl() + new DriverDataSource(settings))
                .doesNotContain("s3cret");
        assertThat(settings.properties()).contains(Map.entry("password", "s3cret"));
    }
}
