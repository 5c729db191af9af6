package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.HoldingMain.Span;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that hold on to one lease and are killed, frozen or starved; at no moment do two say that they hold it. */
class HoldingProcessesTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String LOST = "lost TAKEN_OVER";
    private static final Duration JUST_NOW = Duration.ofMillis(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<Instance> instances = new ArrayList<>();

    @TempDir
    Path folder;

    private record Instance(Process process, Path output, MappedByteBuffer trace) {

        List<Span> spans() {
            var spans = new ArrayList<Span>();
            for (int i = 0; i < HoldingMain.MOST_SPANS; i++) {
                Span span = Span.read(trace, i);
                if (span.fence() != 0 && span.lastNanos() != 0) {
                    spans.add(span);
                }
            }
            return spans;
        }

        boolean isHeldNow() {
            return spans().stream().anyMatch(span -> System.nanoTime() - span.lastNanos() < JUST_NOW.toNanos());
        }

        String told() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        long timesTold(String text) {
            return told().lines().filter(line -> line.contains(text)).count();
        }

        void command(String command) throws IOException {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        void signal(String signal) throws Exception {
            assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    private Instance start(int number) throws Exception {
        var output = Files.createFile(folder.resolve("instance-" + number + ".log"));
        var trace = folder.resolve("instance-" + number + ".trace");
        var mapped = HoldingMain.map(trace);
        var process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldingMain.class.getName(),
                        database.jdbcUrl(),
                        TTL.toString(),
                        trace.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Instance(process, output, mapped);
    }

    @BeforeEach
    void startTwo() throws Exception {
        Leases.on(database.dataSource()).build().close();
        instances.add(start(1));
        instances.add(start(2));
    }

    @AfterEach
    void kill() throws Exception {
        for (Instance instance : instances) {
            instance.process().destroyForcibly().waitFor();
        }
    }

    private Instance holder() throws Exception {
        var holders = new ArrayList<Instance>();
        Await.until("one holds", LIMIT, () -> {
            instances.stream().filter(Instance::isHeldNow).forEach(holders::add);
            return !holders.isEmpty();
        });
        return holders.get(0);
    }

    private Instance otherThan(Instance instance) {
        return instances.get(0).process().equals(instance.process()) ? instances.get(1) : instances.get(0);
    }

    private void awaitHeld(Instance instance) throws Exception {
        Await.until("the other one holds", LIMIT, instance::isHeldNow);
    }

    /** All spans of all processes, in their order: each ends before the next begins, and the fences grow. */
    private void checkThatNoTwoHeldItAtATime() {
        var all = instances.stream()
                .flatMap(instance -> instance.spans().stream())
                .sorted(Comparator.comparingLong(Span::fence))
                .toList();
        assertThat(all).hasSizeGreaterThanOrEqualTo(2);
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).firstNanos())
                    .as("%s after %s", all.get(i), all.get(i - 1))
                    .isGreaterThan(all.get(i - 1).lastNanos());
        }
    }

    @Test
    void aKilledHolderIsFollowedByTheOther() throws Exception {
        var holder = holder();
        var other = otherThan(holder);
        holder.signal("KILL");
        awaitHeld(other);
        checkThatNoTwoHeldItAtATime();
        Await.until("told", LIMIT, () -> other.told().contains("gained"));
    }

    /** On a busy machine the other may have lost it by itself by then; then the turn does not count. */
    @Test
    void aHolderThatIsFrozenPastItsLeaseKnowsWhenItWakes() throws Exception {
        int kept = 0;
        for (int turn = 0; turn < 6 && kept < 2; turn++) {
            var holder = holder();
            var other = otherThan(holder);
            long before = holder.timesTold(LOST);
            holder.signal("STOP");
            awaitHeld(other);
            holder.signal("CONT");
            Await.until("told", LIMIT, () -> holder.timesTold(LOST) > before);
            kept += other.isHeldNow() ? 1 : 0;
            checkThatNoTwoHeldItAtATime();
        }
        assertThat(kept).as("times that the other held it still").isEqualTo(2);
    }

    @Test
    void aHolderWithoutAConnectionForLongerThanALeaseIsFollowedAndLooksAgain() throws Exception {
        var holder = hoggedHolder();
        var other = otherThan(holder);
        long before = holder.timesTold(LOST);
        awaitHeld(other);
        Await.until(
                "told",
                LIMIT,
                () -> holder.told().lastIndexOf("unconfirmed") > holder.told().lastIndexOf("hogged"));
        assertThat(holder.timesTold(LOST)).isEqualTo(before);
        holder.command("free");
        Await.until("told", LIMIT, () -> holder.timesTold(LOST) > before);
        other.signal("KILL");
        awaitHeld(holder);
        checkThatNoTwoHeldItAtATime();
    }

    /** One that holds it, and has no connection from then on; another one where it was lost just before. */
    private Instance hoggedHolder() throws Exception {
        while (true) {
            var holder = holder();
            long before = holder.timesTold("hogged true");
            holder.command("hog");
            Await.until("hogged", LIMIT, () -> holder.timesTold("hogged true") > before);
            if (holder.isHeldNow()) {
                return holder;
            }
            holder.command("free");
        }
    }
}
