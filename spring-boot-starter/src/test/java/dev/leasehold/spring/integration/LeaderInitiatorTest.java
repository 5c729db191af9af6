package dev.leasehold.spring.integration;

import static dev.leasehold.spring.integration.Others.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Two applications that elect a leader by a lock, and the leader's own pool is empty for longer than a lease: in all tests
 * with the same pools and the same time-to-live. A pool keeps those who find it empty for three times that, as
 * the defaults of HikariCP (30 s) and of the JDBC lock (10 s) would.
 */
class LeaderInitiatorTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration MARGIN = TTL.dividedBy(3);
    private static final Duration LONG_TTL = Duration.ofMinutes(1);
    private static final int POOL_SIZE = 2;
    private static final int TRIES = 5;

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    private Leadership leadership = new Leadership();
    private final List<GenericApplicationContext> applications = new ArrayList<>();
    private boolean leadsOnItsThread;
    private long heartBeatMillis = LockRegistryLeaderInitiator.DEFAULT_HEART_BEAT_TIME;
    private long busyWaitMillis = LockRegistryLeaderInitiator.DEFAULT_BUSY_WAIT_TIME;

    @AfterEach
    void close() throws SQLException {
        applications.forEach(GenericApplicationContext::close);
        applications.clear();
        DATABASE.execute("drop table if exists leases");
    }

    private GenericApplicationContext application(String name, Consumer<GenericApplicationContext> locks) {
        var application = new GenericApplicationContext();
        application.registerBean(HikariDataSource.class, this::pool);
        locks.accept(application);
        application.registerBean(LockRegistryLeaderInitiator.class, () -> {
            var initiator = new LockRegistryLeaderInitiator(
                    application.getBean(LockRegistry.class), leadership.candidate(name, leadsOnItsThread));
            initiator.setHeartBeatMillis(heartBeatMillis);
            initiator.setBusyWaitMillis(busyWaitMillis);
            return initiator;
        });
        applications.add(application);
        application.refresh();
        return application;
    }

    private HikariDataSource pool() {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(DATABASE.jdbcUrl());
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setConnectionTimeout(TTL.multipliedBy(3).toMillis());
        return pool;
    }

    private static Consumer<GenericApplicationContext> leases(LossPolicy onLoss, Duration ttl) {
        return application -> {
            application.registerBean(
                    Leases.class,
                    () -> Leases.on(application.getBean(HikariDataSource.class))
                            .ttl(ttl)
                            .margin(ttl.dividedBy(3))
                            .build());
            application.registerBean(
                    LeaseLockRegistry.class,
                    () -> new LeaseLockRegistry(application.getBean(Leases.class), "lock:", onLoss));
        };
    }

    private static void jdbcLocks(GenericApplicationContext application) {
        application.registerBean(
                JdbcTransactionManager.class,
                () -> new JdbcTransactionManager(application.getBean(HikariDataSource.class)));
        application.registerBean(
                DefaultLockRepository.class,
                () -> new DefaultLockRepository(application.getBean(HikariDataSource.class)));
        application.registerBean(
                JdbcLockRegistry.class,
                () -> new JdbcLockRegistry(application.getBean(DefaultLockRepository.class), TTL));
    }

    private static List<Connection> allConnectionsOf(GenericApplicationContext application) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        for (int i = 0; i < POOL_SIZE; i++) {
            taken.add(application.getBean(HikariDataSource.class).getConnection());
        }
        return taken;
    }

    /** The first application leads, the second waits, and the first has no connection from then on. */
    private List<Connection> theLeaderLosesItsPool(Consumer<GenericApplicationContext> locks) throws SQLException {
        GenericApplicationContext first = application("first", locks);
        await().until(() -> leadership.leads("first"));
        application("second", locks);
        return allConnectionsOf(first);
    }

    /** A process that does not run for longer than the margin hears too late: what is seen then does not count. */
    private void thereAreNeverTwoLeaders(LossPolicy onLoss) throws SQLException {
        boolean counts = false;
        for (int time = 1; time <= TRIES && !counts; time++) {
            close();
            leadership = new Leadership();
            try (var stalls = new Stalls()) {
                thereAreTwoThatWouldLead(onLoss);
                counts = leadership.most() == 1 || stalls.longest().compareTo(MARGIN.dividedBy(2)) < 0;
            }
        }
        assertThat(leadership.events()).containsSubsequence("first granted", "first revoked", "second granted");
        assertThat(leadership.most()).isEqualTo(1);
    }

    private void thereAreTwoThatWouldLead(LossPolicy onLoss) throws SQLException {
        List<Connection> taken = theLeaderLosesItsPool(leases(onLoss, TTL));
        long start = System.nanoTime();
        await().until(() -> leadership.leads("second"));
        await().until(() -> System.nanoTime() - start > TTL.toNanos() * 3 / 2);
        for (Connection connection : taken) {
            connection.close();
        }
    }

    @Test
    void thereAreNeverTwoLeadersWithLeases() throws Exception {
        thereAreNeverTwoLeaders(LossPolicy.INTERRUPT);
    }

    @Test
    void thereAreNeverTwoLeadersIfTheLeaderHardlyEverLooks() throws Exception {
        heartBeatMillis = Duration.ofHours(1).toMillis();
        thereAreNeverTwoLeaders(LossPolicy.INTERRUPT);
    }

    @Test
    void thereAreNeverTwoLeadersIfTheyLeadOnTheThreadThatHoldsTheLock() throws Exception {
        leadsOnItsThread = true;
        thereAreNeverTwoLeaders(LossPolicy.INTERRUPT);
    }

    @Test
    void thereAreNeverTwoLeadersWithoutAnInterruptIfTheyLookOftenEnough() throws Exception {
        heartBeatMillis = 200;
        thereAreNeverTwoLeaders(LossPolicy.GO_ON);
    }

    @Test
    void withTheJdbcLockThereAreTwoLeadersInTheSameSituation() throws Exception {
        var script = new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql");
        new ResourceDatabasePopulator(script).execute(DATABASE.dataSource());
        List<Connection> taken = theLeaderLosesItsPool(LeaderInitiatorTest::jdbcLocks);
        await().until(() -> leadership.most() == 2);
        assertThat(leadership.events()).startsWith("first granted", "second granted");
        for (Connection connection : taken) {
            connection.close();
        }
    }

    @Test
    void aLeaderWhoseApplicationEndsLeavesTheLockFree() throws Exception {
        GenericApplicationContext first = application("first", leases(LossPolicy.INTERRUPT, LONG_TTL));
        await().until(() -> leadership.leads("first"));
        application("second", leases(LossPolicy.INTERRUPT, LONG_TTL));
        first.close();
        await().until(() -> leadership.leads("second"));
        assertThat(DATABASE.queryForLong("select deaths from leases")).isZero(); // it was released, and has not run out
    }

    @Test
    void aLeaderThatYieldsForLongerThanTheOthersLookIsFollowedByAnother() throws Exception {
        busyWaitMillis = Duration.ofHours(1).toMillis();
        GenericApplicationContext first = application("first", leases(LossPolicy.INTERRUPT, LONG_TTL));
        await().until(() -> leadership.leads("first"));
        busyWaitMillis = LockRegistryLeaderInitiator.DEFAULT_BUSY_WAIT_TIME;
        application("second", leases(LossPolicy.INTERRUPT, LONG_TTL));
        first.getBean(LockRegistryLeaderInitiator.class).getContext().yield();
        await().until(() -> leadership.leads("second"));
        assertThat(leadership.leads("first")).isFalse();
    }
}
