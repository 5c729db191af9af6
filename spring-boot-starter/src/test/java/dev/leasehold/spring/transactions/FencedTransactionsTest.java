package dev.leasehold.spring.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LeaseException;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.spring.CurrentLease;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.exclusive.ExclusiveAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of exclusive work, which nobody has fenced by hand. */
@ExtendWith(OutputCaptureExtension.class)
class FencedTransactionsTest {

    private static final String STEAL = "update leases set holder = 'another', fence = fence + 1";

    private static final String BRIEF = "4s";
    private static final int TRIES = 10;

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class,
                    FencedTransactionsAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl(), "spring.jpa.hibernate.ddl-auto=none");

    enum Managers {
        JDBC,
        JPA
    }

    @Entity
    @Table(name = "written")
    static class Written {
        @Id
        private String what = "";
    }

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = Written.class)
    static class Jpa {

        @Bean
        Writer writer(EntityManager entities) {
            return what -> {
                var written = new Written();
                written.what = what;
                entities.persist(written);
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jdbc {

        /** Without it the auto-configuration would make one for JPA. */
        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Writer writer(JdbcTemplate jdbc) {
            return what -> jdbc.update("insert into written values (?)", what);
        }
    }

    interface Writer {
        void write(String what);
    }

    static class Jobs {

        private final Writer writer;
        private Callable<?> meanwhile = () -> "";

        Jobs(Writer writer) {
            this.writer = writer;
        }

        void meanwhile(Callable<?> what) {
            meanwhile = what;
        }

        @Exclusive("sweep")
        @Transactional
        public void write(String what) throws Exception {
            writer.write(what);
            meanwhile.call();
        }

        @Exclusive(name = "sweep", waitFor = "30s", onLoss = LossPolicy.INTERRUPT)
        @Transactional
        public void writeOrBeInterrupted(String what) throws Exception {
            writer.write(what);
            meanwhile.call();
        }

        @Exclusive("sweep")
        @Transactional(readOnly = true)
        public void read() throws Exception {
            meanwhile.call();
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void writeWithout(String what) throws Exception {
            writer.write(what);
            meanwhile.call();
        }
    }

    @BeforeEach
    void createTable() throws SQLException {
        database.execute("create table written (what text primary key)");
    }

    private ApplicationContextRunner with(Managers managers) {
        return application
                .withUserConfiguration(managers == Managers.JPA ? Jpa.class : Jdbc.class)
                .withBean(Jobs.class);
    }

    private String written() throws SQLException {
        return "" + database.queryForString("select coalesce(string_agg(what, ', ' order by what), '') from written");
    }

    private Callable<Boolean> stealing() {
        return () -> {
            database.execute(STEAL);
            return true;
        };
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionWhoseLeaseWasLostIsRolledBack(Managers managers) {
        with(managers).run(context -> {
            var jobs = context.getBean(Jobs.class);
            jobs.write("held");
            jobs.meanwhile(stealing());
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.write("stale"));
            assertThat(written()).isEqualTo("held");
        });
    }

    @ParameterizedTest
    @EnumSource
    void nobodyTakesTheLeaseOverBetweenTheFenceAndTheCommit(Managers managers) {
        with(managers).run(context -> {
            var jobs = context.getBean(Jobs.class);
            var blocked = new CompletableFuture<String>();
            // Told after the fence, for it was added later.
            context.getBean(ConfigurableTransactionManager.class).addListener(new TransactionExecutionListener() {
                @Override
                public void beforeCommit(TransactionExecution transaction) {
                    try {
                        database.execute("set lock_timeout = '200ms'; " + STEAL);
                        blocked.complete("nobody");
                    } catch (SQLException e) {
                        blocked.complete(e.getSQLState());
                    }
                }
            });
            jobs.write("held");
            assertThat(blocked).isCompletedWithValue("55P03");
            assertThat(written()).isEqualTo("held");
            assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                    .isEqualTo(1);
        });
    }

    /** Spring commits after an exception that is checked, and nobody has taken the lease over. */
    @Test
    void workThatWasInterruptedForItsLeaseIsRolledBack() {
        with(Managers.JDBC).withPropertyValues("leasehold.ttl=" + BRIEF).run(context -> {
            var jobs = context.getBean(Jobs.class);
            var begun = new AtomicBoolean();
            jobs.meanwhile(() -> {
                begun.set(true);
                try (var other = database.dataSource().getConnection();
                        var statement = other.createStatement()) {
                    other.setAutoCommit(false);
                    statement.execute("select name from leases for update"); // no renewal gets at it
                    TimeUnit.SECONDS.sleep(60);
                    return true;
                }
            });
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> untilBegun(begun, () -> {
                        jobs.writeOrBeInterrupted("half of it");
                        return true;
                    }));
            assertThat(written()).isEmpty();
        });
    }

    /**
     * On a slow machine so short a lease may have run out before its acquisition is answered, and be given back behind the
     * back of the next call.
     */
    private static void untilBegun(AtomicBoolean begun, Callable<?> call) throws Exception {
        for (int i = 1; ; i++) {
            try {
                call.call();
                if (begun.get() || i == TRIES) {
                    return;
                }
            } catch (LeaseException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLeaseIsReleasedAfterTheCommit(Managers managers) {
        with(managers).run(context -> {
            var jobs = context.getBean(Jobs.class);
            var heldAtCommit = new CompletableFuture<Long>();
            jobs.meanwhile(() -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        try {
                            heldAtCommit.complete(held());
                        } catch (SQLException e) {
                            heldAtCommit.completeExceptionally(e);
                        }
                    }
                });
                return true;
            });
            jobs.write("held");
            assertThat(heldAtCommit).isCompletedWithValue(1L);
            assertThat(held()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionThatReadsOnlyIsLeftAlone(Managers managers) {
        with(managers).run(context -> {
            var jobs = context.getBean(Jobs.class);
            jobs.meanwhile(stealing());
            assertThatNoException().isThrownBy(jobs::read);
        });
    }

    @Test
    void anInnerTransactionIsFencedToo() {
        with(Managers.JDBC).run(context -> {
            var jobs = context.getBean(Jobs.class);
            var inner = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            inner.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
            jobs.meanwhile(() -> {
                database.execute(STEAL);
                inner.executeWithoutResult(
                        status -> context.getBean(Writer.class).write("inner"));
                return true;
            });
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.write("outer"));
            assertThat(written()).isEmpty();
        });
    }

    /** A fence at the end of a nested one would lock the row until the outer one ends, against the own renewal too. */
    @Test
    void anEndedNestedTransactionKeepsNobodyFromRenewing() {
        with(Managers.JDBC).withPropertyValues("leasehold.renew-every=250ms").run(context -> {
            var jobs = context.getBean(Jobs.class);
            var nested = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            nested.setPropagationBehavior(TransactionTemplate.PROPAGATION_NESTED);
            jobs.meanwhile(() -> {
                nested.executeWithoutResult(
                        status -> context.getBean(Writer.class).write("nested"));
                String before = renewal();
                await().atMost(Duration.ofSeconds(30)).until(() -> !renewal().equals(before));
                return true;
            });
            jobs.write("outer");
            assertThat(written()).isEqualTo("nested, outer");
            jobs.meanwhile(() -> {
                nested.executeWithoutResult(
                        status -> context.getBean(Writer.class).write("stale"));
                return stealing().call();
            });
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.write("stale too"));
            assertThat(written()).isEqualTo("nested, outer");
        });
    }

    private String renewal() throws SQLException {
        return "" + database.queryForString("select expires_at::text from leases");
    }

    @Test
    void workUnderALeaseOfOnesOwnIsFencedIfItSaysSo() {
        with(Managers.JDBC).run(context -> {
            var jobs = context.getBean(Jobs.class);
            jobs.meanwhile(stealing());
            try (var lease =
                    context.getBean(Leases.class).tryAcquire("import").lease().orElseThrow()) {
                assertThatExceptionOfType(LeaseLostException.class)
                        .isThrownBy(() -> CurrentLease.during(lease, () -> {
                            jobs.writeWithout("stale");
                            return true;
                        }));
                jobs.meanwhile(() -> true);
                jobs.writeWithout("without a lease");
            }
            assertThat(written()).isEqualTo("without a lease");
        });
    }

    /** Needs the transaction manager before anybody may look at it. */
    static class Early implements BeanPostProcessor {
        Early(PlatformTransactionManager transactions) {
            assertThat(transactions).isNotNull();
        }
    }

    @Test
    void aManagerThatWasMadeEarlyIsToldTooAndOnlyOnce() {
        with(Managers.JDBC).withBean(Early.class).run(context -> {
            var jobs = context.getBean(Jobs.class);
            jobs.meanwhile(stealing());
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.write("stale"));
            assertThat(written()).isEmpty();
            assertThat(context.getBean(ConfigurableTransactionManager.class).getTransactionExecutionListeners())
                    .filteredOn(TransactionFence.class::isInstance)
                    .hasSize(1);
        });
        with(Managers.JDBC)
                .run(context -> assertThat(context.getBean(ConfigurableTransactionManager.class)
                                .getTransactionExecutionListeners())
                        .filteredOn(TransactionFence.class::isInstance)
                        .hasSize(1));
    }

    @Test
    void leasesThatTheApplicationBuiltItselfFenceTransactionsOfTheirOwnDatabaseOnly() {
        var elsewhere = TestPostgres.freshDatabase();
        with(Managers.JDBC)
                .withBean(Leases.class, () -> Leases.on(elsewhere.dataSource()).build())
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    jobs.meanwhile(() -> {
                        elsewhere.execute(STEAL);
                        return true;
                    });
                    jobs.write("not fenced");
                    assertThat(written()).isEqualTo("not fenced");
                });
        with(Managers.JDBC)
                .withBean(Leases.class, () -> Leases.on(database.dataSource()).build())
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    jobs.meanwhile(stealing());
                    assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.write("stale"));
                    assertThat(written()).isEqualTo("not fenced");
                });
    }

    /** Spring warns of beans that are made for a post-processor, before others may look at them. */
    @Test
    void nothingIsMadeTooEarlyForIt(CapturedOutput output) {
        with(Managers.JPA).run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
    }

    /** A manager that nobody can listen to. */
    record Deaf(PlatformTransactionManager manager) implements PlatformTransactionManager {

        @Override
        public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
            return manager.getTransaction(definition);
        }

        @Override
        public void commit(TransactionStatus status) {
            manager.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            manager.rollback(status);
        }
    }

    @Test
    void aManagerThatTakesNoListenersIsToldOnce(CapturedOutput output) {
        application
                .withBean(
                        "deaf",
                        PlatformTransactionManager.class,
                        () -> new Deaf(new JdbcTransactionManager(database.dataSource())))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output.getAll().lines().filter(line -> line.contains("deaf takes no listeners")))
                .hasSize(1);
    }

    @Test
    void itCanBeTurnedOff() {
        with(Managers.JDBC)
                .withPropertyValues("leasehold.fence-transactions=false")
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    jobs.meanwhile(stealing());
                    jobs.write("not fenced");
                    assertThat(written()).isEqualTo("not fenced");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        DataSource first(TestDatabase database) {
            return database.dataSource();
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource elsewhere) {
            return new JdbcTransactionManager(elsewhere);
        }

        @Bean
        Writer writer(DataSource elsewhere) {
            var jdbc = new JdbcTemplate(elsewhere);
            return what -> jdbc.update("insert into written values (?)", what);
        }
    }

    private ApplicationContextRunner withLeasesIn(TestDatabase leases, DataSource elsewhere) {
        return application
                .withUserConfiguration(TwoDatabases.class)
                .withBean(TestDatabase.class, () -> leases)
                .withBean("elsewhere", DataSource.class, () -> elsewhere)
                .withBean(Jobs.class)
                .withPropertyValues("leasehold.data-source=first");
    }

    @Test
    void transactionsOfAnotherDatabaseAreLeftAlone() {
        var leases = TestPostgres.freshDatabase();
        withLeasesIn(leases, database.dataSource()).run(context -> {
            var jobs = context.getBean(Jobs.class);
            jobs.meanwhile(() -> {
                leases.execute(STEAL);
                return true;
            });
            jobs.write("not fenced");
            assertThat(written()).isEqualTo("not fenced");
        });
    }

    @Test
    void transactionsOfTheSameDatabaseByAnotherSourceAreFenced() {
        withLeasesIn(database, new DriverManagerDataSource(database.jdbcUrl())).run(context -> {
            var jobs = context.getBean(Jobs.class);
            jobs.meanwhile(stealing());
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> jobs.write("stale"));
            assertThat(written()).isEmpty();
        });
    }

    @Test
    void insideATransactionThatHadBegunBeforeTheLeaseLastsUntilItsEnd() {
        with(Managers.JDBC).run(context -> {
            var jobs = context.getBean(Jobs.class);
            var outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            outer.executeWithoutResult(status -> {
                call(() -> {
                    jobs.write("rolled back");
                    assertThat(held()).as("nothing is committed yet").isEqualTo(1);
                    jobs.write("rolled back too, not skipped");
                    assertThat(context.getBean(JdbcTemplate.class)
                                    .queryForObject("select count(*) from written", Integer.class))
                            .isEqualTo(2);
                    return true;
                });
                status.setRollbackOnly();
            });
            assertThat(held()).isZero();
            assertThat(written()).isEmpty();
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> outer.executeWithoutResult(status -> call(() -> {
                        jobs.write("stale");
                        return stealing().call();
                    })));
            assertThat(written()).isEmpty();
        });
    }

    private long held() throws SQLException {
        return database.queryForLong("select count(*) from leases where expires_at > now()");
    }

    private static void call(Callable<?> callable) {
        try {
            callable.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Four callers whose transactions have all four connections: no lease can be asked for until one of them gives up, and
     * nobody waits for long.
     */
    @Test
    void insideTransactionsThatHaveTheWholePoolALeaseIsAnErrorSoonAndNoDeadlock() {
        with(Managers.JDBC)
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=4")
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    var outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    var allHaveOne = new CyclicBarrier(4);
                    var threads = Executors.newFixedThreadPool(4);
                    try {
                        List<Future<?>> calls = Stream.generate(() ->
                                        threads.submit(() -> outer.executeWithoutResult(status -> call(() -> {
                                            context.getBean(JdbcTemplate.class)
                                                    .queryForObject("select 1", Integer.class);
                                            allHaveOne.await();
                                            jobs.write("by "
                                                    + Thread.currentThread().getName());
                                            return true;
                                        }))))
                                .limit(4)
                                .<Future<?>>map(future -> future)
                                .toList();
                        int failed = 0;
                        for (var call : calls) {
                            try {
                                call.get(60, TimeUnit.SECONDS);
                            } catch (ExecutionException e) {
                                assertThat(e).hasCauseInstanceOf(LeaseException.class);
                                failed++;
                            }
                        }
                        assertThat(failed).isPositive();
                    } finally {
                        threads.shutdownNow();
                    }
                    // a lease that was asked for in vain may have been gained, and is given back soon
                    await().atMost(Duration.ofSeconds(30)).until(() -> {
                        jobs.write("afterwards");
                        return written().startsWith("afterwards");
                    });
                });
    }
}
