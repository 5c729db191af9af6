package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that can't be used is one line, without the password, and exit code 2. */
@Timeout(120)
class UnusableDatabaseTest {

    @TempDir
    private Path project;

    @Test
    void nothingListensThere() throws Exception {
        // bound by somebody who does not listen, so that nobody else can
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertRefused("127.0.0.1:" + bound.getLocalPort(), "watch", "nothing accepts connections there");
        }
    }

    @Test
    void theHostIsUnknown() throws Exception {
        assertRefused("no-such-host.invalid:5432", "watch", "the host name is unknown");
    }

    @Test
    void somethingElseAnswers() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread greeter = new Thread(() -> greet(other));
            greeter.start();
            assertRefused("127.0.0.1:" + other.getLocalPort(), "watch", "does not speak PostgreSQL's protocol");
        }
    }

    @Test
    void nobodyAnswers() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            long start = System.nanoTime();
            assertRefused("127.0.0.1:" + silent.getLocalPort(), "watch", "no answer within 5 seconds");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
        }
    }

    @Test
    void thePasswordIsWrongOrTheDatabaseMissing() throws Exception {
        DataFolder data = DataFolder.of(project.resolve("server"));
        SharedBinaries.linkInto(data);
        EmbeddedDatabase database = EmbeddedDatabase.start(data, 20, new Console(System.out, false));
        try {
            String url = database.url().jdbcUrl();
            String place = url.substring("jdbc:postgresql://".length(), url.lastIndexOf('/'));
            assertRefused(place, "none", "there is no such database");

            Files.writeString(data.postgres().resolve("pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
            try (var connection = DriverManager.getConnection(url, "postgres", "");
                    var statement = connection.createStatement()) {
                statement.execute("alter role postgres password 'right'");
                statement.execute("select pg_reload_conf()");
            }
            assertThat(Poll.until(Duration.ofSeconds(30), () -> !accepts(url))).isTrue();
            assertRefused(place, "leasehold", "the password is wrong");
        } finally {
            database.end();
        }
    }

    @Test
    void theDatabaseTakesNoWrites() throws Exception {
        DataFolder data = DataFolder.of(project.resolve("server"));
        SharedBinaries.linkInto(data);
        EmbeddedDatabase database = EmbeddedDatabase.start(data, 20, new Console(System.out, false));
        try {
            String url = database.url().jdbcUrl();
            String place = url.substring("jdbc:postgresql://".length(), url.lastIndexOf('/'));
            try (var connection = DriverManager.getConnection(url, "postgres", "");
                    var statement = connection.createStatement()) {
                statement.execute("alter database leasehold set default_transaction_read_only = on");
            }
            assertRefused(place, "leasehold", "it is read-only (default_transaction_read_only is on)");
        } finally {
            database.end();
        }
    }

    /** As a mail server does. */
    private static void greet(ServerSocket server) {
        try {
            while (true) {
                try (var connection = server.accept()) {
                    connection
                            .getOutputStream()
                            .write("220 mail.example.org ready\r\n".getBytes(StandardCharsets.US_ASCII));
                    connection.getInputStream().read();
                }
            }
        } catch (IOException e) {
            return; // closed: the test is over
        }
    }

    private void assertRefused(String place, String database, String reason) throws Exception {
        String url = "postgres://postgres:pass-word@" + place + "/" + database;
        try (LauncherProcess run =
                LauncherProcess.start(project, List.of("--database-url", url, "--watch-jar", "never-started.jar"))) {
            assertThat(run.awaitExit()).isEqualTo(2);
            assertThat(run.err())
                    .singleElement()
                    .asString()
                    .contains(place, "database " + database, reason)
                    .doesNotContain("pass-word");
            assertThat(run.out()).isEmpty();
        }
    }

    private static boolean accepts(String url) {
        try (var connection = DriverManager.getConnection(url, "postgres", "wrong")) {
            return connection.isValid(5);
        } catch (java.sql.SQLException e) {
            return false;
        }
    }
}
