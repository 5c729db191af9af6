package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.OptionalTool;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines whose clocks differ by more than a lease, and pauses between the request and its execution. */
class ShiftedClocksTest {

    private static final Duration TTL = Duration.ofMinutes(2);

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        // The tool runs the JVM as its child; when that has ended it ends too, and removes what it shared with it.
        processes.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        for (var process : processes) {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    /** What a process with a clock that is that many seconds ahead says of its attempt. */
    private String attempt(String seconds, Duration ttl) throws Exception {
        return attempt("sweep", seconds, ttl);
    }

    private String attempt(String name, String seconds, Duration ttl) throws Exception {
        var process = new ProcessBuilder(
                        OptionalTool.FAKETIME.orSkip().toString(),
                        "-f",
                        seconds + "s",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AcquireOnceMain.class.getName(),
                        database.jdbcUrl(),
                        name,
                        ttl.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // Only the wall clock is shifted; the tool's remedy for old systems would disturb waits in the JVM.
        process.environment().put("DONT_FAKE_MONOTONIC", "1");
        process.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        String line = String.valueOf(start(process).readLine());
        Instant clock = Instant.parse(line.substring(line.indexOf(' ') + 1));
        assertThat(Duration.between(Instant.now(), clock)
                        .minusSeconds(Long.parseLong(seconds))
                        .abs())
                .as("the tool works")
                .isLessThan(Duration.ofSeconds(30));
        return line.substring(0, line.indexOf(' '));
    }

    /**
     * The tool names what it shares with the JVM by its own process id, and ends at once where a killed run left something
     * under that id. The next start has another id.
     */
    private BufferedReader start(ProcessBuilder process) throws IOException {
        for (int i = 0; i < 5; i++) {
            var started = process.start();
            processes.add(started);
            var output = started.inputReader(StandardCharsets.UTF_8);
            if (AcquireOnceMain.STARTED.equals(output.readLine())) {
                return output;
            }
        }
        throw new AssertionError("the tool failed five times");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+180", "-180"})
    void aContenderWhoseClockIsWrongIsRefused(String seconds) throws Exception {
        try (var leases = Leases.on(database.dataSource()).ttl(TTL).build()) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            assertThat(attempt(seconds, TTL)).isEqualTo("busy");
            assertThat(lease.isHeld()).isTrue();
            lease.release();
            assertThat(attempt(seconds, TTL)).as("free").isEqualTo("acquired");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+180", "-180"})
    void theLeaseOfAHolderWhoseClockIsWrongLastsAsLongAsAnyAndNoLonger(String seconds) throws Exception {
        var ttl = Duration.ofSeconds(5);
        try (var leases = Leases.on(database.dataSource()).ttl(TTL).build()) {
            assertThat(attempt(seconds, ttl)).isEqualTo("acquired");
            long first = fence();
            assertThat(database.queryForLong("select count(*) from leases where expires_at between now()"
                            + " and now() + interval '5 s' and taken_at between now() - interval '30 s' and now()"))
                    .isEqualTo(1);
            Await.until("a ttl has passed", LIMIT, () -> {
                assertThat(leases.tryAcquire("sweep").lease())
                        .as("it is renewed")
                        .isEmpty();
                return database.queryForLong("select count(*) from leases"
                                + " where taken_at < clock_timestamp() - interval '5500 ms'")
                        == 1;
            });
            end();
            assertThat(leases.tryAcquire("sweep", LIMIT).lease())
                    .as("taken over")
                    .isPresent();
            assertThat(fence()).isGreaterThan(first);
        }
    }

    /** Its clock only guesses which instants to send; those that do not reach to the database's time are sent anew. */
    @ParameterizedTest
    @ValueSource(strings = {"+2592000", "-2592000", "-5400"})
    void theSlotOfAnInstanceWhoseClockIsWrongIsTheDatabases(String seconds) throws Exception {
        String name = AcquireOnceMain.HOURLY + "report";
        Await.until(
                "no hour ends meanwhile",
                LIMIT.multipliedBy(4),
                () -> database.queryForLong("select extract(minute from now())::bigint") < 59);
        try (var leases = Leases.on(database.dataSource()).ttl(TTL).build()) {
            assertThat(leases.tryAcquireSlot(name, AcquireOnceMain.ON_THE_HOUR).lease())
                    .as("a new one waits for its next instant")
                    .isEmpty();
            assertThat(attempt(name, seconds, TTL)).isEqualTo("busy");
            database.execute("update leases set done_slot = now() - interval '3 hours'");
            assertThat(attempt(name, seconds, TTL)).isEqualTo("acquired");
            assertThat(database.queryForLong("select count(*) from leases"
                            + " where done_slot in (date_trunc('hour', taken_at), date_trunc('hour', now()))"))
                    .isEqualTo(1);
        }
    }

    private long fence() throws SQLException {
        return database.queryForLong("select fence from leases");
    }

    /** Hands out connections late. */
    private static final class Late extends ForwardingDataSource {

        private final AtomicLong millis = new AtomicLong();

        Late(TestDatabase database) {
            super(database.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                TimeUnit.MILLISECONDS.sleep(millis.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted", e);
            }
            return super.getConnection();
        }
    }

    @Test
    void aPauseBetweenTheRequestAndItsExecutionShortensTheTrustAndNotTheRow() throws Exception {
        var ttl = Duration.ofMinutes(1);
        var pause = Duration.ofMillis(1500);
        var late = new Late(database);
        try (var leases = Leases.on(late).ttl(ttl).build()) {
            late.millis.set(pause.toMillis());
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            late.millis.set(0);
            assertThat(lease.timeLeft())
                    .isLessThanOrEqualTo(ttl.minus(ttl.dividedBy(12)).minus(pause));
            assertThat(database.queryForLong(
                            "select count(*) from leases where expires_at >= taken_at + interval '60 s'"))
                    .as("full length, from the execution")
                    .isEqualTo(1);
            lease.release();
        }
    }

    @Test
    void aPauseLongerThanTheLeaseIsNeverAHoldAndLeavesTheNameFree() throws Exception {
        var ttl = Duration.ofSeconds(1);
        var late = new Late(database);
        try (var leases = Leases.on(late).ttl(ttl).build()) {
            late.millis.set(ttl.multipliedBy(2).toMillis());
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            late.millis.set(0);
            assertThat(leases.tryAcquire("sweep", LIMIT).lease()).isPresent();
        }
    }
}
