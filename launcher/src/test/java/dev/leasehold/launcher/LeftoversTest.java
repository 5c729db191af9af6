package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

    private final Console console = new Console(System.out, false);

    @TempDir
    private Path folder;

    @Test
    void aCreationThatStillGoesOnIsEndedBeforeTheNextBegins() throws Exception {
        DataFolder data = DataFolder.of(folder);
        SharedBinaries.linkInto(data);
        EmbeddedDatabase.start(data, 20, console).end(); // unpacks the programs

        // in one of a few times: it may come to its own end before this thread goes on
        int exitValue = 0;
        for (int time = 1; time <= 5 && exitValue == 0; time++) {
            exitValue = exitValueOfACreationThatIsEnded(data);
        }
        assertThat(exitValue).as("cut short").isNotZero();
        EmbeddedDatabase.start(data, 20, console).end();
    }

    private int exitValueOfACreationThatIsEnded(DataFolder data) throws Exception {
        FileTree.delete(data.postgres());
        Files.deleteIfExists(data.postgresUnfinished());
        Files.createFile(data.postgresUnfinished());
        Process initdb =
                new ProcessBuilder(initdb(data)).redirectErrorStream(true).start();
        assertThat(Poll.until(
                        Duration.ofSeconds(30),
                        () -> Files.exists(data.postgres().resolve("PG_VERSION"))))
                .isTrue();
        new Leftovers(data, console).end();

        assertThat(initdb.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return initdb.exitValue();
    }

    @Test
    void aProcessWithoutOurMarkIsLeftAlone() throws Exception {
        DataFolder data = DataFolder.of(folder.resolve("a"));
        Process stranger = startSleeper(DataFolder.of(folder.resolve("ab")));
        try {
            assertThat(stranger.inputReader().readLine()).isEqualTo("sleeping");

            new Leftovers(data, console).end();
            assertThat(stranger.isAlive()).isTrue();

            new Leftovers(DataFolder.of(folder.resolve("ab")), console).end();
            assertThat(stranger.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void whatDoesNotHeedIsKilledAndGoneBeforeTheRunGoesOn() throws Exception {
        DataFolder data = DataFolder.of(folder);
        Process deaf = startSleeper(data, "deaf");
        try {
            assertThat(deaf.inputReader().readLine()).isEqualTo("sleeping");

            new Leftovers(data, console, Duration.ofMillis(500)).end();

            assertThat(deaf.isAlive()).isFalse();
            assertThat(deaf.exitValue()).isEqualTo(137);
        } finally {
            deaf.destroyForcibly();
        }
    }

    private static Process startSleeper(DataFolder data, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Leftovers.mark(data),
                "-cp",
                System.getProperty("java.class.path"),
                Sleeper.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    private static List<String> initdb(DataFolder data) throws Exception {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // initdb refuses to run as root
        }
        try (var unpacked = Files.newDirectoryStream(data.postgresBinaries(), "PG-*")) {
            command.add(unpacked.iterator().next().resolve("bin/initdb").toString());
        }
        command.addAll(List.of("-D", data.postgres().toString(), "-U", "postgres", "--locale=C", "-E", "UTF-8"));
        return command;
    }

    /** A program that goes on until it is ended; with an argument, until it is killed. */
    static final class Sleeper {

        private Sleeper() {}

        @SuppressWarnings("SystemOut") // the test waits for the line
        public static void main(String[] args) throws InterruptedException {
            if (args.length > 0) {
                Thread main = Thread.currentThread();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> waitFor(main)));
            }
            System.out.println("sleeping");
            Thread.sleep(Duration.ofMinutes(10).toMillis());
        }

        private static void waitFor(Thread main) {
            try {
                main.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
