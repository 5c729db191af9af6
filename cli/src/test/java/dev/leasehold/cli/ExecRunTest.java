package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a command if something fails once it has begun, and of signals that come just before. */
@Timeout(60)
class ExecRunTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    private final Leases leases = Leases.on(DATABASE.dataSource()).build();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @AfterEach
    void close() {
        leases.close();
    }

    /** Fails as soon as it is told that the command has begun. */
    private static ExecLines failing() {
        return new ExecLines(
                new PrintWriter(new Writer() {
                    @Override
                    public void write(char[] text, int from, int length) {
                        throw new IllegalStateException("nobody listens");
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                }),
                true);
    }

    private void runFailing(String name, boolean endsOnLoss, String script) {
        var terms = new ExecTerms(
                name,
                "leases",
                Duration.ofMinutes(2),
                Duration.ZERO,
                Optional.empty(),
                false,
                endsOnLoss,
                Duration.ofSeconds(5),
                List.of("sh", "-c", "cd '" + folder + "'; " + script));
        Lease lease = leases.tryAcquire(name).lease().orElseThrow();
        var run = new ExecRun(lease, terms, failing(), relay());
        assertThatIllegalStateException()
                .isThrownBy(() -> run.run((held, isCounted) -> {}))
                .withMessage("nobody listens");
    }

    private static SignalRelay relay() {
        return new SignalRelay(Thread.currentThread(), () -> true);
    }

    @Test
    void aCommandIsWaitedForThoughSomethingFailsMeanwhile() {
        runFailing("waited", false, "sleep 0.5; echo > ended");
        assertThat(folder.resolve("ended")).exists();
    }

    @Test
    void oneThatIsToEndOnLossIsEndedWhenNobodyLooksAfterItsLeaseAnyMore() throws Exception {
        runFailing("ended", true, "echo $$ > pid; exec sleep 300");
        Path pid = folder.resolve("pid");
        // Told to end before it could say its number, it has not said it.
        String number = Files.exists(pid) ? Files.readString(pid).strip() : "";
        assertThat(!number.isEmpty() && ExecProcess.runs(Long.parseLong(number)))
                .as("it goes on")
                .isFalse();
    }

    @Test
    void aCtrlCThatCameBeforeTheCommandBeganIsPassedOnAlsoFromATerminal() throws Exception {
        ExecProcess.assumeNotIgnored("INT");
        var relay = relay();
        var signal = new SignalRelay.Caught("INT", 2);
        relay.caught(signal);
        assertThat(relay.caught()).contains(signal);
        var child = Child.start(List.of("sleep", "300"), Map.of());
        relay.passTo(child);
        assertThat(child.await()).isEqualTo(128 + 2);
    }

    @Test
    void ofSignalsThatCameBeforeTheCommandBeganNoneIsDropped() throws Exception {
        var relay = relay();
        relay.caught(new SignalRelay.Caught("CONT", 18));
        relay.caught(new SignalRelay.Caught("TERM", 15));
        var child = Child.start(List.of("sleep", "300"), Map.of());
        relay.passTo(child);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(child.await()).isEqualTo(128 + 15);
    }
}
