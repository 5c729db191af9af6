package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.OutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A log that throws, as one may whose disk is full, changes nothing of what a run counts as. Runs alone, for the log is the JVM's. */
@Isolated
class ThrowingLogTest {

    private static final Duration LONG = Duration.ofDays(300);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final AtomicInteger begun = new AtomicInteger();
    private final PrintStream standardError = System.err;

    private static final class Full extends PrintStream {

        private final AtomicInteger lines;

        Full(AtomicInteger lines) {
            super(OutputStream.nullOutputStream());
            this.lines = lines;
        }

        @Override
        public void println(String line) {
            lines.incrementAndGet();
            throw new IllegalStateException("no space left on device");
        }
    }

    /** How often something should have been written. */
    private AtomicInteger fill() {
        var lines = new AtomicInteger();
        System.setErr(new Full(lines));
        return lines;
    }

    @AfterEach
    void close() {
        System.setErr(standardError);
        instances.close();
    }

    @Test
    void aRunThatFailedWasBegunAllTheSame() throws Exception {
        ManualRounds rounds = instances.byHand(
                instances.leases(),
                Round.named("mail").every(LONG).promise(Promise.AT_MOST_ONCE).work(context -> {
                    begun.incrementAndGet();
                    throw new IllegalStateException("broken");
                }));
        AtomicInteger lines = fill();
        assertThat(rounds.pass("mail")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
            assertThat(run.counted()).isTrue();
        });
        assertThat(lines).hasPositiveValue();
        assertThat(rounds.pass("mail")).as("at most once").isEmpty();
        assertThat(begun).hasValue(1);
    }

    @Test
    void aRunThatForgetsItsFinishRestsAllTheSame() throws Exception {
        ManualRounds rounds = instances.byHand(
                instances.leases(),
                Round.named("bill").every(LONG).promise(Promise.EXACTLY_ONCE).work(context -> begun.incrementAndGet()));
        AtomicInteger lines = fill();
        assertThat(rounds.pass("bill"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED));
        assertThat(lines).hasPositiveValue();
        assertThat(rounds.pass("bill")).as("it rests").isEmpty();
        assertThat(begun).hasValue(1);
    }

    @Test
    void aRunThatTakesTooLongIsInterruptedAllTheSame() throws Exception {
        ManualRounds rounds = instances.byHand(
                instances.leases(),
                Round.named("slow")
                        .every(LONG)
                        .runTimeout(Duration.ofMillis(50))
                        .work(context -> assertThat(new CountDownLatch(1).await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                                .as("interrupted before")
                                .isTrue()));
        AtomicInteger lines = fill();
        assertThat(rounds.pass("slow"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.TIMED_OUT));
        assertThat(lines).hasPositiveValue();
    }

    @Test
    void aLookThatGoesWellAgainLeavesNoLeaseBehind() throws Exception {
        var isAway = new AtomicBoolean();
        var source = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (isAway.get()) {
                    throw new SQLException("away");
                }
                return super.getConnection();
            }
        };
        try (Leases leases = Leases.on(source).ttl(Duration.ofMinutes(1)).build()) {
            ManualRounds rounds =
                    instances.byHand(leases, Round.named("sweep").every(LONG).work(context -> begun.incrementAndGet()));
            isAway.set(true);
            assertThat(rounds.pass("sweep")).as("told in the log").isEmpty();
            isAway.set(false);
            AtomicInteger lines = fill();
            assertThat(rounds.pass("sweep"))
                    .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
            assertThat(lines).hasPositiveValue();
            assertThat(leases.held()).isEmpty();
        }
    }
}
