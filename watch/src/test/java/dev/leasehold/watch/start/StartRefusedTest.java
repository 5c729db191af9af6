package dev.leasehold.watch.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each in a JVM of its own: what an operator sees is the output and the exit code. */
class StartRefusedTest {

    private static final TestDatabase database = TestPostgres.freshDatabase();

    @TempDir
    private Path folder;

    @Test
    void withoutADatabaseUrl() throws Exception {
        Ended ended = start();

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.lines()).singleElement().asString().contains("not started: spring.datasource.url is not set");
    }

    @Test
    void withADatabaseThatCannotBeReached() throws Exception {
        Ended ended = start(
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:1/leasehold?user=anna&password=secret",
                "--spring.datasource.hikari.connection-timeout=1000");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.lines())
                .singleElement()
                .asString()
                .contains("spring.datasource.url (jdbc:postgresql://127.0.0.1:1/leasehold)")
                .contains("refused")
                .doesNotContain("secret");
    }

    @Test
    void withANodeNameThatBreaksTheRule() throws Exception {
        Ended ended = start("--spring.datasource.url=" + database.jdbcUrl(), "--watch.node=node a");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.lines())
                .singleElement()
                .asString()
                .contains("watch.node is 'node a': must be 1 to 255 letters");
    }

    @Test
    void withADurationThatIsNone() throws Exception {
        Ended ended = start("--spring.datasource.url=" + database.jdbcUrl(), "--watch.stop-timeout=11q");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.lines()).singleElement().asString().contains("watch.stop-timeout is '11q': Unknown unit 'q'");
    }

    @Test
    void withAMonitorsFileThatBreaksARule() throws Exception {
        Path file = Files.writeString(folder.resolve("monitors.yaml"), """
                monitors:
                  - name: shop
                    url: ftp://example.org/
                """);
        Ended ended = start(
                "--spring.datasource.url=" + database.jdbcUrl(), "--watch.monitors-file=" + file, "--server.port=0");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.lines().get(ended.lines().size() - 1))
                .contains("monitors file " + file
                        + ", monitors[0]: url is 'ftp://example.org/': must begin with http://");
        assertThat(ended.lines()).noneMatch(line -> line.startsWith("\tat "));
    }

    private static Ended start(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.leasehold.watch.WatchApplication"));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("watch-start", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SPRING_") || name.startsWith("WATCH_"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        Files.delete(output);
        return new Ended(process.exitValue(), lines);
    }

    private record Ended(int exitCode, List<String> lines) {}
}
