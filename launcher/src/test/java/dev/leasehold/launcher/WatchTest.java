package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ./run starts, as it starts it: the executable jar that this build has made of Watch, on a given database. */
class WatchTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PASSWORD = "p@ss:w/rd";

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    @TempDir
    private Path folder;

    private EmbeddedDatabase server;

    @BeforeEach
    void startDatabase() throws Exception {
        DataFolder data = DataFolder.of(folder.resolve("database"));
        SharedBinaries.linkInto(data);
        server = EmbeddedDatabase.start(data, 48, new Console(System.out, false));
        createWatchWithPassword(data);
    }

    @AfterEach
    void endDatabase() throws Exception {
        server.end();
    }

    @Test
    void twoNodesOnAGivenDatabaseSeeEachOtherAndLeaveNothingRunning() throws Exception {
        Path project = Files.createDirectory(folder.resolve("project"));
        String databaseUrl = url("watch").replaceFirst("^jdbc:postgresql://", "postgres://watch:p%40ss%3Aw%2Frd@");
        List<String> options = List.of(
                "--watch-jar",
                watchJar().toString(),
                "--nodes",
                "2",
                "--port",
                Integer.toString(FreePort.find()),
                "--database-url",
                databaseUrl);

        try (LauncherProcess run = LauncherProcess.start(project, options)) {
            List<ProcessHandle> nodes = List.of(run.node("node-a"), run.node("node-b"));
            List<String> urls = List.of(run.url("node-a"), run.url("node-b"));
            List<ProcessHandle> started = run.handle().descendants().toList();
            assertThat(started).containsAll(nodes);

            for (String url : urls) {
                await(() -> get(url + "/health/ready").statusCode(), status -> status == 200);
                await(() -> get(url + "/").body(), page -> urls.stream().allMatch(other -> page.contains(link(other))));
            }
            await(
                    this::newestResults,
                    List.of("node-a: node-a up", "node-a: node-b up", "node-b: node-a up", "node-b: node-b up")
                            ::equals);
            assertThat(project.resolve(".data/postgres"))
                    .as("a second database")
                    .doesNotExist();

            run.handle().destroy();

            assertThat(run.awaitExit()).isEqualTo(143);
            assertThat(run.err()).isEmpty();
            assertThat(started).noneMatch(ProcessHandle::isAlive);
        }
        assertThat(query("select name from leases where expires_at > now()")).isEmpty();
        await(() -> query("select application_name from pg_stat_activity where usename = 'watch'"), List::isEmpty);
    }

    private static Path watchJar() throws Exception {
        Path project = Path.of("..").toRealPath();
        try {
            return WatchJar.in(project);
        } catch (LaunchException e) {
            throw new AssertionError(
                    "this test starts the executable jar of Watch, and there is none: build it first, by"
                            + " mvn -pl watch -am package -DskipTests, or run all of the build by ./test",
                    e);
        }
    }

    /** A server that trusts everybody would take any password. */
    private void createWatchWithPassword(DataFolder data) throws Exception {
        Path rules = data.postgres().resolve("pg_hba.conf");
        Files.writeString(rules, "host all watch 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
        try (Connection connection = connect("leasehold", "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute("create role watch login password '" + PASSWORD + "'");
            statement.execute("create database watch owner watch");
            statement.execute("select pg_reload_conf()");
        }
        await(() -> accepts("a wrong one"), accepted -> !accepted);
    }

    private boolean accepts(String password) {
        try (Connection connection = connect("watch", "watch", password)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    private List<String> newestResults() throws SQLException {
        return query("""
                select distinct on (r.node, m.name) format('%s: %s %s', r.node, m.name, r.outcome)
                  from check_result r
                  join monitor m on m.id = r.monitor_id
                 order by r.node, m.name, r.slot desc
                """);
    }

    private List<String> query(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = connect("watch", "postgres", "");
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private Connection connect(String database, String user, String password) throws SQLException {
        return DriverManager.getConnection(url(database), user, password);
    }

    private String url(String database) {
        return server.url().jdbcUrl().replaceFirst("[^/]*$", database);
    }

    private HttpResponse<String> get(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Only the table of the nodes links to them. */
    private static String link(String url) {
        return "href=\"" + url + "\"";
    }

    private static <T> void await(Callable<T> source, Predicate<T> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        T seen = source.call();
        while (!condition.test(seen)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + PATIENCE.toMinutes() + " minutes; last seen: " + seen);
            }
            Thread.sleep(200);
            seen = source.call();
        }
    }
}
