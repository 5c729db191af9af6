package dev.leasehold.watch.monitorsfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.WatchProperties;
import dev.leasehold.watch.domains.Domains;
import dev.leasehold.watch.monitors.Monitors;
import dev.leasehold.watch.running.RunningInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

class FollowMonitorsFileTest {

    private static final TestDatabase database = TestPostgres.freshDatabase();
    private static RunningInstance instance;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(database);
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @AfterEach
    void removeAll() throws Exception {
        database.execute("truncate monitor, domain cascade");
    }

    private void follow(String name, String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve(name), yaml);
        new FollowMonitorsFile(
                        new WatchProperties("node-a", file, null, true, Duration.ZERO),
                        instance.bean(Monitors.class),
                        instance.bean(Domains.class),
                        instance.bean(JdbcClient.class),
                        instance.bean(TransactionOperations.class))
                .afterPropertiesSet();
    }

    private static @Nullable String monitors() throws Exception {
        return database.queryForString(
                "select string_agg(name || ' ' || source || ' ' || timeout_ms, ', ' order by name) from monitor");
    }

    @Test
    void rowsFollowTheFileAndThoseOfTheApiStay() throws Exception {
        database.execute("insert into monitor (name, url, source) values ('mine', 'https://mine.example', 'api')");
        database.execute("insert into domain (name, source) values ('mine.example', 'api')");
        follow("monitors.yaml", """
                monitors:
                  - {name: a, url: 'https://a.example'}
                  - {name: b, url: 'https://b.example'}
                domains: [a.example, b.example]
                """);
        long idOfA = database.queryForLong("select id from monitor where name = 'a'");

        follow("monitors.yaml", """
                monitors:
                  - {name: a, url: 'https://a.example', timeout: 1s}
                  - {name: c, url: 'https://c.example'}
                domains: [b.example]
                """);

        assertThat(monitors()).isEqualTo("a file 1000, c file 5000, mine api 5000");
        assertThat(database.queryForLong("select id from monitor where name = 'a'"))
                .isEqualTo(idOfA);
        assertThat(database.queryForString("select string_agg(name || ' ' || source, ', ' order by name) from domain"))
                .isEqualTo("b.example file, mine.example api");
    }

    @Test
    void nameInTheFileTakesTheRowOfTheApiOver() throws Exception {
        database.execute("insert into monitor (name, url, source) values ('a', 'https://old.example', 'api')");

        follow("monitors.yaml", "monitors: [{name: a, url: 'https://new.example'}]");

        assertThat(database.queryForString("select url || ' ' || source from monitor"))
                .isEqualTo("https://new.example file");
    }

    @Test
    void instancesThatReadTheFileAtOnceDoNotDisturbEachOther() throws Exception {
        StringBuilder upwards = new StringBuilder("monitors:\n");
        StringBuilder downwards = new StringBuilder("monitors:\n");
        for (int i = 0; i < 100; i++) {
            upwards.append("  - {name: m").append(i).append(", url: 'https://m.example'}\n");
            downwards.append("  - {name: m").append(99 - i).append(", url: 'https://m.example'}\n");
        }
        ExecutorService readers = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Boolean>> reads = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String yaml = (i % 2 == 0 ? upwards : downwards).toString();
                String name = "file" + i + ".yaml";
                reads.add(() -> {
                    follow(name, yaml);
                    return true;
                });
            }
            for (Future<Boolean> read : readers.invokeAll(reads)) {
                assertThat(read.get()).isTrue();
            }
        } finally {
            readers.shutdownNow();
        }
        assertThat(database.queryForLong("select count(*) from monitor where source = 'file'"))
                .isEqualTo(100);
    }

    @Test
    void fileIsReadBeforeTheInstanceIsReady() throws Exception {
        Path file = Files.writeString(folder.resolve("m.yaml"), "domains: [first.example]");
        try (RunningInstance reading =
                RunningInstance.on(TestPostgres.freshDatabase(), "watch.monitors-file=" + file)) {
            assertThat(reading.get("/api/domains").body())
                    .contains("first.example")
                    .contains("\"source\":\"file\"");
        }
    }
}
