package dev.leasehold.spring.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.RunHistory;
import dev.leasehold.rounds.Promise;
import dev.leasehold.rounds.RoundContext;
import dev.leasehold.rounds.RoundListener;
import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.RoundRun;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.Scope;
import dev.leasehold.spring.CurrentLease;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.Round;
import dev.leasehold.spring.exclusive.ExclusiveAutoConfiguration;
import dev.leasehold.spring.transactions.FencedTransactionsAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Rounds that are found in an application, and start and stop with it. */
class ApplicationRoundsTest {

    private static final int LIMIT_SECONDS = 30;

    /** A second slot would come into a test that runs at its time. */
    private static final String SELDOM = "365d";

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class,
                    RoundsAutoConfiguration.class,
                    FencedTransactionsAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=" + database.jdbcUrl(),
                    "leasehold.node=node-a",
                    "report.every=" + SELDOM,
                    "report.zone=Europe/Berlin");

    @BeforeEach
    void createTable() throws SQLException {
        database.execute("create table written (what text primary key)");
    }

    private String row(String name) throws SQLException {
        return ""
                + database.queryForString("select coalesce(string_agg(name || case when expires_at > now() then ' held'"
                        + " else ' free' end || case when done_slot is null then ' due' else ' done' end, ''), '')"
                        + " from leases where name like '" + name + "'");
    }

    /** What the runs of a test say, in their order. */
    static class Told {

        private final BlockingQueue<String> told = new ArrayBlockingQueue<>(100);

        void tell(String what) {
            told.add(what);
        }

        String next() throws InterruptedException {
            return String.valueOf(told.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
    }

    static class Reports {

        private final Told told;

        Reports(Told told) {
            this.told = told;
        }

        @Round(name = "report", every = "${report.every}", offset = "15m")
        public void report() {
            told.tell("report under " + CurrentLease.get().orElseThrow().name());
        }
    }

    static class NodeReports {

        private final Told told;

        NodeReports(Told told) {
            this.told = told;
        }

        @Round(value = "cache", every = SELDOM, offset = "spread", scope = Scope.NODE)
        String report(RoundContext context) {
            told.tell(context.round() + " under " + context.lease().name());
            return "ignored";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ARoundBean {

        @Bean
        dev.leasehold.rounds.Round hourly(Told told) {
            return dev.leasehold.rounds.Round.named("hourly")
                    .every(Duration.ofDays(365))
                    .work(context -> told.tell("hourly"));
        }
    }

    private ApplicationContextRunner with(Class<?>... beans) {
        ApplicationContextRunner runner = application.withBean(Told.class);
        for (Class<?> bean : beans) {
            runner = runner.withBean(bean);
        }
        return runner;
    }

    @Test
    void methodsAndBeansAreRoundsThatRunAndCount() {
        with(Reports.class).run(context -> {
            assertThat(context.getBean(Told.class).next()).isEqualTo("report under report");
            awaitCounted("report");
        });
        with(NodeReports.class).run(context -> {
            assertThat(context.getBean(Told.class).next()).isEqualTo("cache under cache@node-a");
            awaitCounted("cache@node-a");
        });
        with().withUserConfiguration(ARoundBean.class).run(context -> {
            assertThat(context.getBean(Told.class).next()).isEqualTo("hourly");
            assertThat(context.getBean(ApplicationRounds.class).status())
                    .singleElement()
                    .matches(status -> status.round().equals("hourly"));
        });
    }

    private void awaitCounted(String name) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!row(name).equals(name + " free done") && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(row(name)).isEqualTo(name + " free done");
    }

    @Test
    void lazyApplicationsStartTheirRoundsToo() {
        with(Reports.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context.getBean(Told.class).next()).isEqualTo("report under report"));
    }

    @Lazy
    static class LazyReports extends Reports {

        LazyReports(Told told) {
            super(told);
        }
    }

    @Test
    void lazyBeansAreFound() {
        with(LazyReports.class)
                .run(context -> assertThat(context.getBean(Told.class).next()).isEqualTo("report under report"));
    }

    @Test
    void roundsCanBeLeftOut() {
        with(Reports.class).withPropertyValues("leasehold.rounds.enabled=false").run(context -> {
            assertThat(context.getBean(ApplicationRounds.class).isRunning()).isFalse();
            assertThat(context.getBean(ApplicationRounds.class).status()).isEmpty();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> context.getBean(ApplicationRounds.class).runNow("report"))
                    .withMessageContaining("report");
            assertThat(row("%")).isEmpty();
        });
    }

    static class ThreadReports {

        private final Told told;

        ThreadReports(Told told) {
            this.told = told;
        }

        @Round(value = "threads", every = SELDOM)
        public void report() throws ReflectiveOperationException {
            boolean isVirtual = Runtime.version().feature() >= 21
                    && (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
            told.tell(isVirtual ? "virtual" : "platform");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threadsAreVirtualIfTheApplicationWantsThatAndJavaHasThem(boolean wanted) {
        boolean expected = wanted && Runtime.version().feature() >= 21;
        with(ThreadReports.class)
                .withPropertyValues("spring.threads.virtual.enabled=" + wanted)
                .run(context ->
                        assertThat(context.getBean(Told.class).next()).isEqualTo(expected ? "virtual" : "platform"));
    }

    static class MigratedReports {

        private final Told told;
        private final JdbcTemplate jdbc;

        MigratedReports(Told told, JdbcTemplate jdbc) {
            this.told = told;
            this.jdbc = jdbc;
        }

        @Round(value = "migrated", every = SELDOM)
        public void report() {
            told.tell(jdbc.queryForObject("select count(*) from application_data", Integer.class) + " rows");
        }
    }

    @RepeatedTest(5)
    void theFirstRunComesAfterTheMigration() {
        var empty = TestPostgres.freshDatabase();
        with(MigratedReports.class)
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + empty.jdbcUrl())
                .run(context -> assertThat(context.getBean(Told.class).next()).isEqualTo("0 rows"));
    }

    @Test
    void anOperatorMayAskForAnExtraRun() {
        with(Reports.class).run(context -> {
            assertThat(context.getBean(Told.class).next()).isEqualTo("report under report");
            awaitCounted("report");
            assertThat(context.getBean(ApplicationRounds.class).runNow("report"))
                    .succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS))
                    .extracting(Optional::isPresent)
                    .isEqualTo(true);
            assertThat(context.getBean(Told.class).next()).isEqualTo("report under report");
        });
    }

    static class Transfers {

        private final JdbcTemplate jdbc;
        private boolean fails = true;

        Transfers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Round(value = "transfer", every = SELDOM, promise = Promise.EXACTLY_ONCE, retryAfter = "100ms")
        @Transactional
        public void transfer() {
            jdbc.update("insert into written values (?)", fails ? "rolled back" : "once");
            if (fails) {
                fails = false;
                throw new IllegalStateException("the first run fails");
            }
        }
    }

    @Test
    void exactlyOnceCountsWithTheCommitOfSpringsTransaction() {
        with(Transfers.class).run(context -> {
            awaitCounted("transfer");
            assertThat(database.queryForString("select string_agg(what, ', ') from written"))
                    .isEqualTo("once");
        });
    }

    static class StaleReports {

        private final JdbcTemplate jdbc;
        private final TestDatabase database;

        StaleReports(JdbcTemplate jdbc, TestDatabase database) {
            this.jdbc = jdbc;
            this.database = database;
        }

        @Round(value = "stale", every = SELDOM)
        @Transactional
        public void report() throws SQLException {
            jdbc.update("insert into written values ('stale')");
            database.execute("update leases set holder = 'another', fence = fence + 1");
        }
    }

    static class Outcomes implements RoundListener {

        private final CompletableFuture<RoundRun> first = new CompletableFuture<>();

        @Override
        public void ended(RoundRun run) {
            first.complete(run);
        }
    }

    @Test
    void transactionsOfRoundsAreFenced() {
        with(StaleReports.class)
                .withBean(TestDatabase.class, () -> database)
                .withBean(Outcomes.class)
                .run(context -> {
                    assertThat(context.getBean(Outcomes.class).first)
                            .succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS))
                            .satisfies(run -> {
                                assertThat(run.outcome()).isEqualTo(RoundOutcome.LOST);
                                assertThat(run.counted()).isFalse();
                            });
                    assertThat(database.queryForLong("select count(*) from written"))
                            .isZero();
                });
    }

    static class LaterReports {

        @Round(value = "later", every = SELDOM)
        @SuppressWarnings("FutureReturnValueIgnored") // what a round must not do
        public Object report() {
            return new CompletableFuture<Void>();
        }
    }

    /** What its type says, is refused at the start. */
    @Test
    void aRunThatReturnsWorkWhichGoesOnHasFailed() {
        with(LaterReports.class)
                .withBean(Outcomes.class)
                .run(context -> assertThat(context.getBean(Outcomes.class).first)
                        .succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS))
                        .satisfies(run -> {
                            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
                            assertThat(run.error().orElseThrow())
                                    .contains(
                                            "it returns a CompletableFuture, whose work goes on after its lease has ended:"
                                                    + " wait for it inside the method");
                        }));
    }

    @Test
    void theRunHistoryIsKeptIfWanted() {
        with(Reports.class).withPropertyValues("leasehold.rounds.history=true").run(context -> {
            assertThat(context.getBean(Told.class).next()).isEqualTo("report under report");
            awaitCounted("report");
            // what does not get its turn soon enough is written in the background
            await().atMost(Duration.ofSeconds(LIMIT_SECONDS))
                    .until(() -> context.getBean(RunHistory.class).runs("report", 10), runs -> !runs.isEmpty());
            assertThat(context.getBean(RunHistory.class).runs("report", 10)).hasSize(1);
        });
    }

    /** Runs until it is told to end, and says whether it still had a database then. */
    static class LongReports {

        private final JdbcTemplate jdbc;
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final AtomicReference<String> seen = new AtomicReference<>("");

        LongReports(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Round(value = "long", every = SELDOM)
        public void report() throws InterruptedException {
            started.countDown();
            end.await();
            seen.set(jdbc.queryForObject("select 'the database is still there'", String.class));
        }
    }

    @Test
    void aStopWaitsForTheRunReleasesItsLeaseAndOnlyThenClosesThePool() {
        with(LongReports.class).run(context -> {
            var reports = context.getBean(LongReports.class);
            var pool = context.getBean(HikariDataSource.class);
            assertThat(reports.started.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            var closing = CompletableFuture.runAsync(context::close);
            awaitStopping(context.getBean(ApplicationRounds.class));
            assertThat(pool.isClosed()).isFalse();
            reports.end.countDown();
            assertThat(closing).succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS));
            assertThat(reports.seen).hasValue("the database is still there");
            assertThat(pool.isClosed()).isTrue();
            assertThat(row("long")).isEqualTo("long free done");
        });
    }

    private static void awaitStopping(ApplicationRounds rounds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (rounds.isRunning() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(rounds.isRunning()).isFalse();
    }

    static class Observer implements RoundsObserver {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void started(Rounds rounds) {
            told.add("started, stopped: " + rounds.isStopped());
        }

        @Override
        public void stopped(Rounds rounds) {
            told.add("stopped: " + rounds.isStopped());
        }
    }

    @Test
    void aChildContextHasRoundsOfItsOwn() {
        application.run(parent -> with(Reports.class).withParent(parent).run(context -> {
            assertThat(context.getBean(Told.class).next()).isEqualTo("report under report");
            assertThat(context.getBean(ApplicationRounds.class).status()).hasSize(1);
            assertThat(parent.getBean(ApplicationRounds.class).status()).isEmpty();
        }));
    }

    @Test
    void observersHearOfTheStartAndTheStop() {
        var observer = new Observer();
        with(Reports.class).withBean(Observer.class, () -> observer).run(context -> {
            assertThat(observer.told).containsExactly("started, stopped: false");
            context.close();
            assertThat(observer.told).containsExactly("started, stopped: false", "stopped: true");
        });
    }
}
