package dev.leasehold.watch.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.watch.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

class SweepJobTest {

    private final MigratedDatabase database = new MigratedDatabase();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(SweepJob.class);

    @BeforeEach
    void start() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(logged);
        database.close();
    }

    private SweepJob job(int batchSize, Duration budget) {
        var properties = new SweepProperties(
                Duration.ofHours(1),
                Duration.ofDays(30),
                Duration.ofDays(1),
                batchSize,
                budget,
                Duration.ofMillis(100));
        var store = new SweepStore(database.jdbc(), database.transactions(), properties);
        return new SweepJob(store, properties.batchSize(), properties.budget());
    }

    private void sweep() {
        job(1000, Duration.ofMinutes(1)).run(() -> true);
    }

    private static BooleanSupplier heldFor(int batches) {
        AtomicInteger asked = new AtomicInteger();
        return () -> asked.incrementAndGet() <= batches;
    }

    private void run(String sql) {
        database.aside().sql(sql).update();
    }

    private void results(int count, String age) {
        database.addMonitor("m" + age, "http://m.example/", Duration.ofSeconds(5));
        database.aside()
                .sql("""
                        insert into check_result (monitor_id, node, slot, outcome, duration_ms, checked_at)
                        select m.id, 'node-a', now() - make_interval(secs => n), 'up', 1, now() - cast(:age as interval)
                        from monitor m
                        cross join generate_series(1, :count) n
                        where m.name = :name
                        """)
                .param("age", age)
                .param("count", count)
                .param("name", "m" + age)
                .update();
    }

    private void challenges(int count, String expired) {
        run("insert into passkey_challenge (id, challenge, expires_at)"
                + " select gen_random_uuid(), '\\x00', now() - interval '" + expired + "'"
                + " from generate_series(1, " + count + ")");
    }

    private List<String> lines(Level level) {
        return logged.list.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void whatHasHadItsTimeGoesAndTheRestStays() {
        challenges(2, "1 s");
        challenges(3, "-1 min");
        run("insert into sso_request (state, nonce, code_verifier, expires_at)"
                + " values ('old', 'n', 'v', now() - interval '1 s'), ('new', 'n', 'v', now() + interval '1 min')");
        results(4, "30 days 1 min");
        results(5, "29 days 23 h");
        run(
                "insert into instance (id, node, pid, url, beat_at)"
                        + " values ('gone', 'n', 1, 'u', now() - interval '25 h'), ('here', 'n', 1, 'u', now() - interval '23 h')");

        sweep();

        assertThat(database.count("passkey_challenge")).isEqualTo(3);
        assertThat(database.count("sso_request where state = 'new'")).isEqualTo(1);
        assertThat(database.count("sso_request")).isEqualTo(1);
        assertThat(database.count("check_result")).isEqualTo(5);
        assertThat(database.count("instance where id = 'here'")).isEqualTo(1);
        assertThat(database.count("instance")).isEqualTo(1);
        assertThat(lines(Level.INFO))
                .containsExactly("swept 2 expired passkey challenges, 1 expired single-sign-on requests,"
                        + " 4 old check results, 1 instances that are gone");
    }

    @Test
    void nothingToSweepIsNotWorthALine() {
        results(1, "1 day");
        sweep();

        assertThat(logged.list).isEmpty();
    }

    @Test
    void eachBatchIsATransactionOfItsOwnSoThatTheBacklogShrinksWhateverComes() {
        challenges(25, "1 h");

        job(10, Duration.ofMinutes(1)).run(heldFor(1));
        assertThat(database.count("passkey_challenge")).isEqualTo(15);
        assertThat(lines(Level.INFO))
                .containsExactly("swept 10 expired passkey challenges; more is left for the next round");

        job(10, Duration.ofMinutes(1)).run(() -> true);
        assertThat(database.count("passkey_challenge")).isZero();
    }

    @Test
    void oldestGoFirst() {
        challenges(10, "1 h");
        challenges(10, "2 h");

        job(10, Duration.ofMinutes(1)).run(heldFor(1));

        assertThat(database.count("passkey_challenge where expires_at < now() - interval '90 min'"))
                .isZero();
    }

    @Test
    void backlogOfOneKindDoesNotKeepTheOthersWaiting() {
        challenges(100, "1 h");
        results(5, "31 days");

        job(10, Duration.ofMinutes(1)).run(heldFor(4));

        assertThat(database.count("check_result")).isZero();
        assertThat(database.count("passkey_challenge")).isEqualTo(90);
    }

    @Test
    void hugeBacklogIsWorkedOffWithinTheBudgetOfEachRound() {
        results(100_000, "31 days");
        long left = 100_000;
        for (int round = 0; round < 2; round++) {
            long start = System.nanoTime();
            job(2, Duration.ofSeconds(1)).run(() -> true);

            // nearer to the budget than to the time that all of it would take
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(database.count("check_result")).isLessThan(left).isPositive();
            left = database.count("check_result");
        }
    }

    @Test
    void serversOwnTimeLimitMakesBatchesSmallerNotTheSweepFail() {
        run("create function slow() returns trigger language plpgsql as"
                + " $$ begin perform pg_sleep(0.01); return old; end $$");
        run("create trigger slow before delete on passkey_challenge for each row execute function slow()");
        challenges(40, "1 h");
        run("do $$ begin execute format('alter database %I set statement_timeout = 300', current_database()); end $$");

        job(100, Duration.ofMinutes(1)).run(() -> true);

        assertThat(database.count("passkey_challenge")).isZero();
        assertThat(lines(Level.WARN)).isNotEmpty().allMatch(line -> line.startsWith("a batch of "));
    }

    @Test
    void rowThatIsLockedIsLeftForTheNextTime() throws Exception {
        challenges(3, "1 h");
        try (var other = database.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select from passkey_challenge limit 1 for update");

            sweep();
            assertThat(database.count("passkey_challenge")).isEqualTo(1);
            other.rollback();
        }
        sweep();
        assertThat(database.count("passkey_challenge")).isZero();
    }

    @Test
    void tableThatIsLockedFailsTheRoundVisiblyAfterAllTheRestIsSwept() throws Exception {
        challenges(3, "1 h");
        results(3, "31 days");
        try (var other = database.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table passkey_challenge in access exclusive mode");

            assertThatThrownBy(() -> job(4, Duration.ofMinutes(1)).run(() -> true))
                    .isInstanceOf(DataAccessException.class);
            other.rollback();
        }
        assertThat(database.count("check_result")).isZero();
        assertThat(database.count("passkey_challenge")).isEqualTo(3);
    }

    @Test
    void lockTimeoutDoesNotOutliveTheBatch() {
        sweep();

        assertThat(database.jdbc().sql("show lock_timeout").query(String.class).single())
                .isEqualTo("0");
    }

    @Test
    void twoSweepsAtOnceShareTheWork() throws Exception {
        challenges(2000, "1 h");
        CompletableFuture<Void> other =
                CompletableFuture.runAsync(() -> job(50, Duration.ofMinutes(1)).run(() -> true));
        job(50, Duration.ofMinutes(1)).run(() -> true);
        other.get(60, TimeUnit.SECONDS);

        assertThat(database.count("passkey_challenge")).isZero();
    }

    @Test
    void nothingIsDeletedOnceTheLeaseIsNoLongerHeld() {
        challenges(1, "1 h");
        job(10, Duration.ofMinutes(1)).run(() -> false);

        assertThat(database.count("passkey_challenge")).isEqualTo(1);
    }
}
