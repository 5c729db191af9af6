package dev.leasehold.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {

    private final Console console = new Console(System.out, false);

    @TempDir
    private Path folder;

    private DataFolder data;

    @BeforeEach
    void open() throws Exception {
        data = DataFolder.of(folder.resolve("a folder with spaces"));
        SharedBinaries.linkInto(data);
    }

    @Test
    void whatIsCommittedIsOnDiskAndOnlyThisMachineIsServed() throws Exception {
        EmbeddedDatabase database = start();
        try (var connection = connect(database);
                var rows = connection
                        .createStatement()
                        .executeQuery(
                                "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit',"
                                        + " 'full_page_writes', 'listen_addresses', 'unix_socket_directories', 'max_connections')")) {
            var settings = new TreeMap<String, String>();
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
            assertThat(settings)
                    .containsEntry("fsync", "on")
                    .containsEntry("synchronous_commit", "on")
                    .containsEntry("full_page_writes", "on")
                    .containsEntry("listen_addresses", "127.0.0.1")
                    .containsEntry("unix_socket_directories", "")
                    .containsEntry("max_connections", "48");
        } finally {
            database.end();
        }
    }

    @Test
    void aSecondStartFindsTheDataOfTheFirst() throws Exception {
        EmbeddedDatabase first = start();
        execute(first, "create table kept (id int)");
        first.end();
        assertThat(Postmaster.runningOn(data.postgres())).isEmpty();

        EmbeddedDatabase second = start();
        execute(second, "insert into kept values (1)");
        second.end();
    }

    @Test
    void aServerThatDiesIsSaidOnceAloudWithItsLog() throws Exception {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        EmbeddedDatabase database =
                EmbeddedDatabase.start(data, 48, new Console(new PrintStream(shown, true, UTF_8), false));
        ProcessHandle server =
                Postmaster.runningOn(data.postgres()).orElseThrow().process();
        server.destroyForcibly();

        assertThat(Poll.until(Duration.ofSeconds(30), () -> shown.size() > 0)).isTrue();
        database.end();

        assertThat(shown.toString(UTF_8).lines())
                .singleElement()
                .asString()
                .contains("PostgreSQL (process " + server.pid() + ") has died")
                .contains(data.logs().resolve("postgres.log").toString());
    }

    @Test
    void aServerThatIsEndedIsNotSaidToHaveDied() throws Exception {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        EmbeddedDatabase.start(data, 48, new Console(new PrintStream(shown, true, UTF_8), false))
                .end();
        assertThat(shown.toString(UTF_8)).isEmpty();
    }

    @Test
    void aProcessIdFileThatNamesAStrangerIsNoObstacle() throws Exception {
        EmbeddedDatabase first = start();
        Path pidFile = data.postgres().resolve("postmaster.pid");
        String content = Files.readString(pidFile);
        first.end();
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(pidFile, content.replaceFirst("\\d+", Long.toString(stranger.pid())));

            assertThat(Postmaster.runningOn(data.postgres())).isEmpty();
            start().end();

            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroy();
        }
    }

    @Test
    void aServerThatRunsOnTheOriginalIsNotTakenForOneOnACopy() throws Exception {
        EmbeddedDatabase original = start();
        try {
            Path copy = Files.createDirectory(folder.resolve("copy"));
            Files.copy(data.postgres().resolve("postmaster.pid"), copy.resolve("postmaster.pid"));

            assertThat(Postmaster.runningOn(copy)).isEmpty();
            assertThat(Postmaster.runningOn(data.postgres())).isPresent();
        } finally {
            original.end();
        }
    }

    @Test
    void aClusterThatWasHalfCreatedIsCreatedAgain() throws Exception {
        Files.createFile(data.postgresUnfinished());
        Files.createDirectories(data.postgres().resolve("global"));
        for (String file : new String[] {"PG_VERSION", "postgresql.conf", "global/pg_control"}) {
            Files.writeString(data.postgres().resolve(file), "");
        }

        start().end();

        assertThat(data.postgresUnfinished()).doesNotExist();
    }

    @Test
    void aClusterThatOnceRanIsKeptWhateverTheMarkerSays() throws Exception {
        EmbeddedDatabase first = start();
        execute(first, "create table kept (id int)");
        first.end();
        Files.createFile(data.postgresUnfinished());

        EmbeddedDatabase second = start();
        execute(second, "insert into kept values (1)");
        second.end();
    }

    @Test
    void filesThatAreNoClusterAreMovedAside() throws Exception {
        Files.writeString(Files.createDirectories(data.postgres()).resolve("mine.txt"), "mine");

        start().end();

        try (var entries = Files.list(data.root())) {
            assertThat(entries.filter(path -> path.getFileName().toString().startsWith("postgres.not-a-cluster-")))
                    .singleElement()
                    .satisfies(path -> assertThat(path.resolve("mine.txt")).hasContent("mine"));
        }
    }

    @Test
    void aFailureSaysInOneLineWhy() throws Exception {
        start().end();
        Files.writeString(data.postgres().resolve("postgresql.conf"), "no_such_setting = 1\n");

        assertThatThrownBy(this::start)
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("did not start")
                .hasMessageContaining("postgres.log")
                .message()
                .hasLineCount(1);
    }

    private EmbeddedDatabase start() throws Exception {
        return EmbeddedDatabase.start(data, 48, console);
    }

    private static Connection connect(EmbeddedDatabase database) throws Exception {
        return DriverManager.getConnection(
                database.url().jdbcUrl(), database.url().user().orElseThrow(), "");
    }

    private static void execute(EmbeddedDatabase database, String sql) throws Exception {
        try (var connection = connect(database);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
