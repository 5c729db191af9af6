package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that asks for passwords and certificates, over TLS. Whatever goes wrong is one line without a password. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a read can't be interrupted
class ConnectingTest {

    private static final String PASSWORD = "s3cr:t\\w@rd/%";

    @TempDir
    private static Path folder;

    private static Certificate ofServer;
    private static Certificate ofClient;
    private static TestServer server;
    private static TestDatabase database;
    private Path home;

    @BeforeAll
    static void start() throws Exception {
        ofServer = Certificate.create(folder, "server", "dns:localhost");
        ofClient = Certificate.create(folder, "carol", "dns:carol");
        Path rules = Files.writeString(folder.resolve("hba.conf"), """
                local   all postgres     trust
                host    all postgres all trust
                hostssl all carol    all cert
                hostssl all dave     all scram-sha-256
                host    all bob      all scram-sha-256
                """);
        server = TestServer.start(Map.of(
                "hba_file", rules.toString(),
                "ssl", "on",
                "ssl_cert_file", ofServer.certificate().toString(),
                "ssl_key_file", ofServer.key().toString(),
                "ssl_ca_file", ofClient.certificate().toString()));
        database = server.freshDatabase();
        for (String role : List.of("bob", "dave")) {
            database.execute("create role " + role + " login password '" + PASSWORD + "'");
        }
        database.execute("create role carol login");
        Cli.Ran schema = Cli.on(database).run("schema", "--apply");
        assertThat(schema.exitCode()).as(schema.err()).isZero();
        database.execute("grant select on leases to public");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void freshHome() throws IOException {
        home = Files.createTempDirectory(folder, "home");
    }

    private Cli bob() {
        return Cli.on(database).with("PGUSER", "bob").in(home);
    }

    private String url(String credentials, String parameters) {
        return "postgres://" + credentials + "@localhost:" + database.port() + "/" + database.name() + parameters;
    }

    private static void assertWell(Cli.Ran ran) {
        assertThat(ran).isEqualTo(new Cli.Ran(0, "the lease table leases is empty\n", ""));
    }

    private static void assertOneLine(Cli.Ran ran, String part) {
        assertThat(ran.exitCode()).as("%s", ran).isEqualTo(2);
        assertThat(ran.err()).startsWith("leasehold: ").contains(part).hasLineCount(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).doesNotContain("s3cr", "Exception", "\tat ");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void aPasswordMayComeFromTheUrlTheEnvironmentOrThePasswordFile() throws IOException {
        String inUrl = "bob:" + encoded(PASSWORD);
        assertWell(Cli.bare().run("leases", "--url", url(inUrl, "")));
        assertWell(Cli.bare().with("DATABASE_URL", url(inUrl, "")).run("leases"));
        assertWell(bob().with("PGPASSWORD", PASSWORD).run("leases"));
        assertWell(Cli.bare()
                .run(
                        "leases",
                        "--url",
                        "jdbc:postgresql://localhost:" + database.port() + "/" + database.name() + "?user=bob&password="
                                + encoded(PASSWORD)));
        Path file = passFile(home.resolve(".pgpass"), "rw-------");
        assertWell(bob().run("leases"));
        Path elsewhere = Files.move(file, home.resolve("other"));
        assertOneLine(bob().run("leases"), "no password was provided");
        assertWell(bob().with("PGPASSFILE", elsewhere.toString()).run("leases"));
        assertWell(Cli.bare().run("leases", "--url", url("bob", "?passfile=" + encoded(elsewhere.toString()))));
    }

    private Path passFile(Path file, String permissions) throws IOException {
        Files.writeString(
                file,
                "# mine\nlocalhost:" + database.port() + ":*:bob:"
                        + PASSWORD.replace("\\", "\\\\").replace(":", "\\:") + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aPasswordFileThatOthersMayReadIsNotUsed() throws IOException {
        passFile(home.resolve(".pgpass"), "rw-r--r--");
        Cli.Ran ran = bob().run("leases");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines().toList()).hasSize(2);
        assertThat(ran.err()).contains(".pgpass is not used: others may read it", "no password was provided");
    }

    /** The driver would look into it by itself, whoever may read it. */
    @Test
    void neitherDoesTheDriverUseSuchAFileInARealProcess() throws Exception {
        Path file = passFile(home.resolve("pass"), "rw-r--r--");
        assertThat(leasesOfAProcess(file)).contains("is not used: others may read it", "no password was provided");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(leasesOfAProcess(file)).isEqualTo("the lease table leases is empty\n");
    }

    private String leasesOfAProcess(Path passFile) throws Exception {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.leasehold.cli.Leasehold",
                        "leases")
                .redirectErrorStream(true);
        builder.environment().putAll(bob().environment());
        builder.environment().put("PGPASSFILE", passFile.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
        return said;
    }

    @Test
    void aWrongPasswordIsOneLineWithoutIt() {
        assertOneLine(
                bob().with("PGPASSWORD", "s3cr-wrong").run("leases"),
                "password authentication failed for user \"bob\"");
        for (String command :
                List.of("doctor", "leases", "rounds", "release", "run-now", "pause", "resume", "schema")) {
            Stream<String> arguments = switch (command) {
                case "release", "run-now", "pause", "resume" -> Stream.of(command, "x");
                case "schema" -> Stream.of(command, "--check");
                default -> Stream.of(command);
            };
            String[] all = Stream.concat(arguments, Stream.of("--url", url("bob:s3cr-wrong", "")))
                    .toArray(String[]::new);
            assertOneLine(Cli.bare().run(all), "password authentication failed");
            String[] json = Stream.concat(Stream.of(all), Stream.of("--json")).toArray(String[]::new);
            Cli.Ran ran = Cli.bare().run(json);
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.out()).contains("\"error\": ").doesNotContain("s3cr");
            assertThat(ran.err()).hasLineCount(1).doesNotContain("s3cr");
        }
        assertOneLine(
                Cli.bare().run("leases", "--url", "postgres://bob:s3cr/et@localhost/x"), "--url can't be understood");
    }

    @Test
    void theStackTraceIsPrintedOnlyIfAskedForAndHoldsNoPassword() {
        Cli.Ran ran = Cli.bare().run("leases", "--stacktrace", "--url", url("bob:s3cr-wrong", ""));
        assertThat(ran.err()).contains("\tat ").doesNotContain("s3cr");
    }

    @Test
    void tlsIsUsedAndVerifiedAsPsqlWould() {
        Cli dave = Cli.bare().with("PGPASSWORD", PASSWORD).in(home);
        String root = "&sslrootcert=" + encoded(ofServer.certificate().toString());
        String wrongRoot = "&sslrootcert=" + encoded(ofClient.certificate().toString());
        assertWell(dave.run("leases", "--url", url("dave", "?sslmode=require")));
        assertWell(dave.run("leases", "--url", url("dave", "?sslmode=verify-full" + root)));
        assertWell(dave.with("PGSSLMODE", "verify-full")
                .with("PGSSLROOTCERT", ofServer.certificate().toString())
                .run("leases", "--url", url("dave", "")));
        assertOneLine(dave.run("leases", "--url", url("dave", "?sslmode=disable")), "no pg_hba.conf entry");
        assertOneLine(dave.run("leases", "--url", url("dave", "?sslmode=verify-full" + wrongRoot)), "SSL error");
        assertOneLine(dave.run("leases", "--url", url("dave", "?sslmode=verify-ca" + wrongRoot)), "SSL error");
        assertOneLine(dave.run("leases", "--url", url("dave", "?sslmode=require" + wrongRoot)), "SSL error");
        assertOneLine(
                dave.run("leases", "--url", url("dave", "?sslmode=verify-full&sslrootcert=/none.crt")), "/none.crt");
        String byAddress = url("dave", "?sslmode=verify-full" + root).replace("localhost", "127.0.0.1");
        assertOneLine(dave.run("leases", "--url", byAddress), "127.0.0.1");
        assertOneLine(dave.run("leases", "--url", url("dave", "?sslmode=verify-full&sslrootcert=system")), "SSL error");
        assertOneLine(dave.run("leases", "--url", url("dave", "?sslmode=nonsense")), "nonsense");
    }

    @Test
    void aCertificateAndItsKeyAsPsqlHasThemAreUsed() throws IOException {
        String certificate =
                "?sslmode=require&sslcert=" + encoded(ofClient.certificate().toString());
        String key = "&sslkey=" + encoded(ofClient.key().toString());
        assertWell(Cli.bare().run("leases", "--url", url("carol", certificate + key)));
        assertOneLine(Cli.bare().run("leases", "--url", url("carol", "?sslmode=require")), "certificate");
        Path own = Files.createDirectory(home.resolve(".postgresql"));
        Files.copy(ofClient.certificate(), own.resolve("postgresql.crt"));
        Files.setPosixFilePermissions(
                Files.copy(ofClient.key(), own.resolve("postgresql.key")),
                PosixFilePermissions.fromString("rw-------"));
        assertWell(Cli.bare().in(home).run("leases", "--url", url("carol", "?sslmode=require")));
    }
}
