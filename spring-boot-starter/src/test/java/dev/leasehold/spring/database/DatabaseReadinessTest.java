package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.spring.database.Readiness.Reason;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseReadinessTest {

    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Readiness READY = new Readiness(true, Optional.empty(), "", 0);

    private static final int ASKERS = 20;

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static HikariDataSource pool(String jdbcUrl, int size) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(60_000);
        pool.setInitializationFailTimeout(-1);
        return pool;
    }

    private static DatabaseReadiness readiness(DataSource dataSource) {
        return new DatabaseReadiness(dataSource, BOUND, 0);
    }

    /** For what is answered at once: so nothing depends on how long a connection takes on a busy machine. */
    private static DatabaseReadiness patientReadiness(DataSource dataSource) {
        return new DatabaseReadiness(dataSource, LIMIT, 0);
    }

    private static void awaitReady(DatabaseReadiness readiness) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(readiness.ask()).isEqualTo(READY));
    }

    /** Those of tests before may take a moment to end. */
    private static Set<Thread> probeThreadsBut(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leasehold-readiness") && !before.contains(thread))
                .collect(Collectors.toSet());
    }

    /** Asks that overlap, as far as the machine lets them. */
    private static List<Readiness> askedTogether(DatabaseReadiness readiness, ExecutorService askers) throws Exception {
        var start = new CyclicBarrier(ASKERS);
        List<Callable<Readiness>> many = Collections.nCopies(ASKERS, () -> {
            start.await();
            return readiness.ask();
        });
        List<Readiness> answers = new ArrayList<>();
        for (Future<Readiness> asked : askers.invokeAll(many)) {
            answers.add(asked.get());
        }
        return answers;
    }

    @Test
    void aSilentDatabaseIsToldWithinTheBoundCostsOneThreadHoweverOftenItIsAskedAndIsSeenToComeBack() throws Exception {
        Set<Thread> before = probeThreadsBut(Set.of());
        try (var wire = Wire.to(database);
                var pool = pool(wire.jdbcUrl(database), 4);
                var readiness = readiness(pool)) {
            awaitReady(readiness);
            wire.become(Wire.Mode.SILENT);
            var askers = Executors.newFixedThreadPool(ASKERS);
            try {
                int failures = 0;
                boolean areCountedOnce = false;
                for (int time = 1; time <= 3 || (time <= 10 && !areCountedOnce); time++) {
                    long start = System.nanoTime();
                    List<Readiness> answers = askedTogether(readiness, askers);
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
                    assertThat(answers).allSatisfy(answer -> {
                        assertThat(answer.isReady()).isFalse();
                        assertThat(answer.reason()).contains(Reason.DATABASE_AWAY);
                    });
                    assertThat(probeThreadsBut(before)).hasSize(1);
                    int once = failures + 1;
                    areCountedOnce |= answers.stream().allMatch(answer -> answer.failures() == once);
                    failures =
                            answers.stream().mapToInt(Readiness::failures).max().orElseThrow();
                }
                assertThat(areCountedOnce)
                        .as("asks at the same moment are counted once")
                        .isTrue();
            } finally {
                askers.shutdownNow();
            }
            wire.become(Wire.Mode.CUT);
            wire.become(Wire.Mode.WHOLE);
            awaitReady(readiness);
        }
    }

    /** Whatever it waits for, which goes on beyond. */
    @Test
    void anAskTakesAsLongAsItsBoundAndNoLonger() throws Exception {
        try (var wire = Wire.to(database);
                var full = pool(database.jdbcUrl(), 1);
                var borrowed = full.getConnection();
                var ofSilent = readiness(TestDatabase.dataSource(wire.jdbcUrl(database)));
                var ofFull = readiness(full)) {
            assertThat(borrowed.isClosed()).isFalse();
            wire.become(Wire.Mode.SILENT);
            for (DatabaseReadiness readiness : List.of(ofSilent, ofFull)) {
                assertThat(quickest(readiness)).isBetween(BOUND.minusMillis(1), BOUND.multipliedBy(2));
            }
            wire.become(Wire.Mode.CUT);
        }
    }

    /** This machine may be too busy for one or the other. */
    private static Duration quickest(DatabaseReadiness readiness) throws InterruptedException {
        Duration quickest = LIMIT;
        for (int time = 1; time <= 10 && quickest.compareTo(BOUND.multipliedBy(2)) > 0; time++) {
            long start = System.nanoTime();
            assertThat(readiness.ask().isReady()).isFalse();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            quickest = took.compareTo(quickest) < 0 ? took : quickest;
        }
        return quickest;
    }

    @Test
    void aFullPoolIsAPoolThatIsEmptyAndAShortBusynessIsNone() throws Exception {
        try (var pool = pool(database.jdbcUrl(), 2);
                var readiness = readiness(pool)) {
            var one = pool.getConnection();
            try (var other = pool.getConnection()) {
                Readiness answer = readiness.ask();
                assertThat(answer.isReady()).isFalse();
                assertThat(answer.reason()).contains(Reason.POOL_EMPTY);
                assertThat(answer.detail()).isEqualTo("pool of 2: all are in use, and none came back within 1000 ms");
                assertThat(other.isClosed()).isFalse();
            }
            awaitReady(readiness);
            try (var patient = patientReadiness(pool);
                    var other = pool.getConnection()) {
                var asker = Executors.newSingleThreadExecutor();
                Future<Readiness> asked = asker.submit(patient::ask);
                await().atMost(LIMIT).until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                one.close();
                assertThat(asked.get().reason()).isEmpty();
                assertThat(other.isClosed()).isFalse();
                asker.shutdownNow();
            }
        }
    }

    private static PoolGauge full(DataSource source) {
        return new PoolGauge(source, any -> new PoolCounts(any, 2, 2));
    }

    /** Some pools have the borrower wait for long or for ever, others give up with an error that has no code. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFullPoolThatOnlySpringBootKnowsIsAPoolThatIsEmpty(boolean givesUp) throws Exception {
        var never = new CountDownLatch(1);
        var pool = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (!givesUp) {
                    awaitUnlessInterrupted(never);
                }
                throw new SQLException("cannot get a connection: timeout waiting for an idle object");
            }
        };
        try (var readiness = new DatabaseReadiness(pool, full(pool), givesUp ? LIMIT : Duration.ofMillis(50), 0)) {
            Readiness answer = readiness.ask();
            assertThat(answer.reason()).contains(Reason.POOL_EMPTY);
            assertThat(answer.detail()).startsWith("pool of 2: all are in use");
        }
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its only connection is the probe's own. */
    @Test
    void aServerThatDoesNotAnswerOnAConnectionThatWasLentIsAwayThoughThePoolIsFull() throws Exception {
        var silence = new CountDownLatch(1);
        try (var lent = database.connect()) {
            var pool = lending(lent, () -> {}, () -> awaitUnlessInterrupted(silence));
            try (var readiness = new DatabaseReadiness(pool, full(pool), Duration.ofMillis(50), 0)) {
                // until then the probe, one for all asks, may have no connection yet
                await().atMost(LIMIT).until(() -> readiness.ask().reason().equals(Optional.of(Reason.DATABASE_AWAY)));
                assertThat(readiness.ask().detail()).isEqualTo("no answer within 50 ms");
            } finally {
                silence.countDown();
            }
        }
    }

    /** The connection comes when the asker has waited long enough, and all is over before it has looked at the pool. */
    @Test
    void anAnswerThatComesInTheLastMomentIsTheAnswer() throws Exception {
        var never = new CountDownLatch(1);
        var probe = new CompletableFuture<Thread>();
        var made = new CompletableFuture<DatabaseReadiness>();
        try (var lent = database.connect()) {
            Runnable untilClosed = () -> {
                probe.complete(Thread.currentThread());
                awaitUnlessInterrupted(never);
            };
            var pool = lending(lent, untilClosed, () -> {});
            var ending = new PoolGauge(pool, any -> new PoolCounts(any, 1, 1, () -> closed(made, probe)));
            try (var readiness = new DatabaseReadiness(pool, ending, Duration.ofMillis(50), 0)) {
                made.complete(readiness);
                assertThat(readiness.ask()).isEqualTo(READY);
            }
        }
    }

    private static void closed(Future<DatabaseReadiness> readiness, Future<Thread> probe) {
        try {
            Thread thread = probe.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            readiness.get().close();
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private ForwardingDataSource lending(Connection lent, Runnable beforeItIsLent, Runnable beforeAStatement) {
        var connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createStatement")) {
                        beforeAStatement.run();
                    }
                    return method.getName().equals("close") ? null : method.invoke(lent, arguments);
                });
        return new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() {
                beforeItIsLent.run();
                return connection;
            }
        };
    }

    /** Nothing is asked in PostgreSQL's words. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofAnotherProductItIsAskedWhetherItAnswers(boolean answers) throws Exception {
        var otherProduct = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                return ofAnotherProduct(super.getConnection(), answers);
            }
        };
        try (var readiness = patientReadiness(otherProduct)) {
            Readiness answer = readiness.ask();
            assertThat(answer.reason()).isEqualTo(answers ? Optional.empty() : Optional.of(Reason.DATABASE_AWAY));
        }
    }

    private static Connection ofAnotherProduct(Connection connection, boolean answers) {
        ClassLoader loader = DatabaseReadinessTest.class.getClassLoader();
        var metaData = Proxy.newProxyInstance(
                loader,
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, asked, none) -> asked.getName().equals("getDatabaseProductName") ? "H2" : null);
        return (Connection) Proxy.newProxyInstance(
                loader, new Class<?>[] {Connection.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getMetaData" -> metaData;
                    case "isValid" -> answers;
                    case "close", "getAutoCommit", "rollback" -> method.invoke(connection, arguments);
                    default -> throw new SQLFeatureNotSupportedException(method.getName());
                });
    }

    /** Within a millisecond its thread has hardly begun. */
    @Test
    void aFullPoolIsToldAlsoByAProbeThatHadNoTimeToBegin() throws Exception {
        try (var pool = pool(database.jdbcUrl(), 1);
                var borrowed = pool.getConnection()) {
            assertThat(borrowed.isClosed()).isFalse();
            for (int i = 0; i < 50; i++) {
                try (var readiness = new DatabaseReadiness(pool, Duration.ofMillis(1), 0)) {
                    assertThat(readiness.ask().reason()).contains(Reason.POOL_EMPTY);
                }
            }
        }
    }

    @Test
    void aConnectionThatCameLateIsGivenBack() throws Exception {
        try (var pool = pool(database.jdbcUrl(), 1);
                var readiness = readiness(pool)) {
            var borrowed = pool.getConnection();
            assertThat(readiness.ask().reason()).contains(Reason.POOL_EMPTY);
            borrowed.close();
            // the probe that was waiting takes it now; the pool's only connection must come back from it
            try (var again = pool.getConnection()) {
                assertThat(again.isValid(1)).isTrue();
            }
            awaitReady(readiness);
        }
    }

    @Test
    void aRefusedConnectionIsADatabaseThatIsAwayWithTheDriversWords() throws Exception {
        try (var pool = pool("jdbc:postgresql://127.0.0.1:1/none?user=nobody", 4)) {
            pool.setConnectionTimeout(500);
            try (var readiness = patientReadiness(pool)) {
                await().atMost(LIMIT)
                        .until(readiness::ask, answer -> answer.detail().contains("127.0.0.1:1"));
                assertThat(readiness.ask().reason()).contains(Reason.DATABASE_AWAY);
            }
        }
    }

    @Test
    void aSourceThatIsNoPoolWillDoAndWhatCannotBeKnownOfItIsSaid() throws Exception {
        try (var wire = Wire.to(database);
                var readiness = readiness(TestDatabase.dataSource(wire.jdbcUrl(database)))) {
            awaitReady(readiness);
            wire.become(Wire.Mode.SILENT);
            Readiness answer = readiness.ask();
            assertThat(answer.reason()).contains(Reason.DATABASE_AWAY);
            assertThat(answer.detail()).contains("how full the pool is cannot be known");
        }
    }

    @Test
    void anErrorOfTheServerIsNotADatabaseThatIsAway() throws Exception {
        database.execute("alter database \"" + database.name() + "\" set search_path = public, pg_catalog");
        database.execute("create function pg_is_in_recovery() returns boolean language sql as 'select 1/0 = 1'");
        try (var readiness = patientReadiness(database.dataSource())) {
            Readiness answer = readiness.ask();
            assertThat(answer.reason()).contains(Reason.DATABASE_ERROR);
            assertThat(answer.detail()).contains("division by zero");
        }
    }

    /** The pool's connections are of the time before: each is dropped when it is found. */
    @Test
    void aRoleThatIsReadOnlyIsToldAsThatAndThePoolRecoversOnceItMayWriteAgain() throws Exception {
        String role = "reader_" + database.name();
        database.execute("create role \"" + role + "\" login");
        database.execute("alter role \"" + role + "\" set default_transaction_read_only = on");
        try (var pool = pool(database.jdbcUrl().replaceAll("user=.*", "user=" + role), 3);
                var readiness = patientReadiness(pool)) {
            lendAll(pool, 3);
            Readiness answer = readiness.ask();
            assertThat(answer.isReady()).isFalse();
            assertThat(answer.reason()).contains(Reason.READ_ONLY);
            assertThat(answer.detail()).isEqualTo("its transactions are read-only by default");
            database.execute("alter role \"" + role + "\" reset default_transaction_read_only");
            awaitReady(readiness);
        }
    }

    private static void lendAll(DataSource pool, int size) throws Exception {
        List<Connection> lent = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            lent.add(pool.getConnection());
        }
        for (Connection connection : lent) {
            connection.close();
        }
    }

    @Test
    void aPoolThatIsMeantToBeReadOnlyIsReadyAndAStandbyIsNot() throws Exception {
        try (var pool = pool(database.jdbcUrl(), 1)) {
            pool.setReadOnly(true);
            try (var readiness = patientReadiness(pool)) {
                assertThat(readiness.ask().reason()).isEmpty();
            }
        }
        database.execute("alter database \"" + database.name() + "\" set search_path = public, pg_catalog");
        database.execute("create function pg_is_in_recovery() returns boolean language sql as 'select true'");
        try (var readiness = patientReadiness(database.dataSource())) {
            Readiness answer = readiness.ask();
            assertThat(answer.reason()).contains(Reason.READ_ONLY);
            assertThat(answer.detail()).isEqualTo("it is a standby");
        }
    }

    /** Some pools do not put back what was changed on a connection, nor end its transaction. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theConnectionIsGivenBackAsItWasAndInNoTransactionAlsoWhenTheServerAnswersWithAnError(boolean isBroken)
            throws Exception {
        if (isBroken) {
            database.execute("alter database \"" + database.name() + "\" set search_path = public, pg_catalog");
            database.execute("create function pg_is_in_recovery() returns boolean language sql as 'select 1/0 = 1'");
        }
        try (var one = database.connect()) {
            one.setAutoCommit(false);
            one.setNetworkTimeout(Runnable::run, 7_000);
            var lent = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("close") ? null : method.invoke(one, arguments));
            try (var readiness = patientReadiness(new ForwardingDataSource(database.dataSource()) {
                @Override
                public Connection getConnection() {
                    return lent;
                }
            })) {
                assertThat(readiness.ask().reason())
                        .isEqualTo(isBroken ? Optional.of(Reason.DATABASE_ERROR) : Optional.empty());
                assertThat(one.getNetworkTimeout()).isEqualTo(7_000);
                assertThat(database.queryForLong("select count(*) from pg_stat_activity where datname = '"
                                + database.name() + "' and state like 'idle in transaction%'"))
                        .isZero();
            }
        }
    }

    @Test
    void someFailuresInARowAreToleratedIfTheyMayBeAndToldAllTheSame() throws Exception {
        try (var wire = Wire.to(database);
                var readiness = new DatabaseReadiness(TestDatabase.dataSource(wire.jdbcUrl(database)), LIMIT, 2)) {
            wire.become(Wire.Mode.CUT);
            for (int time = 1; time <= 2; time++) {
                Readiness answer = readiness.ask();
                assertThat(answer.isReady()).isTrue();
                assertThat(answer.reason()).contains(Reason.DATABASE_AWAY);
                assertThat(answer.failures()).isEqualTo(time);
            }
            assertThat(readiness.ask().isReady()).isFalse();
            wire.become(Wire.Mode.WHOLE);
            assertThat(readiness.ask().isReady()).isTrue();
            wire.become(Wire.Mode.CUT);
            assertThat(readiness.ask().isReady()).as("counted anew").isTrue();
        }
    }

    @Test
    void settingsOutOfReasonAreRefused() {
        DataSource source = database.dataSource();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DatabaseReadiness(source, Duration.ZERO, 0))
                .withMessage("timeout is PT0S, but must be 1 ms to 1 minute");
        assertThatIllegalArgumentException().isThrownBy(() -> new DatabaseReadiness(source, Duration.ofSeconds(61), 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DatabaseReadiness(source, BOUND, -1))
                .withMessage("toleratedFailures is -1, but must be 0 to 1000");
    }
}
