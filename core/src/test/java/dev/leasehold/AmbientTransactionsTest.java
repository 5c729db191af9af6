package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Leases in pools and roles with other defaults, and beside transactions that are somebody else's. */
class AmbientTransactionsTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static void acquireRefuseReleaseAndRenew(DataSource dataSource) throws Exception {
        try (var leases = Leases.on(dataSource)
                        .ttl(Duration.ofMinutes(1))
                        .renewEvery(Duration.ofSeconds(1))
                        .build();
                var contender = Leases.on(dataSource).build()) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            Instant first = contender.rows().get(0).expiresAt();
            assertThat(contender.tryAcquire("sweep").lease()).isEmpty();
            Await.until(
                    "renewed",
                    Duration.ofSeconds(30),
                    () -> contender.rows().get(0).expiresAt().isAfter(first));
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(contender.tryAcquire("sweep").lease()).isPresent();
        }
    }

    @Test
    void aPoolWithAutocommitOffWorks() throws Exception {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(2);
        try (var pool = new HikariDataSource(config)) {
            acquireRefuseReleaseAndRenew(pool);
            try (var connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void aDatabaseThatDefaultsToSerializableWorks() throws Exception {
        database.execute("alter database " + database.name() + " set default_transaction_isolation = 'serializable'");
        acquireRefuseReleaseAndRenew(database.dataSource());
    }

    @Test
    void aDatabaseThatDefaultsToReadOnlyWorks() throws Exception {
        database.execute("alter database " + database.name() + " set default_transaction_read_only = on");
        acquireRefuseReleaseAndRenew(database.dataSource());
    }

    @Test
    void aDefaultThatChangesUnderTheLeasesIsNoticed() throws Exception {
        try (var leases = Leases.on(database.dataSource()).build()) {
            database.execute("alter database " + database.name() + " set default_transaction_read_only = on");
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
        }
    }

    @Test
    void acquiringIsDurableWhereTheDefaultIsNot() throws Exception {
        database.execute("alter database " + database.name() + " set synchronous_commit = off");
        try (var leases = Leases.on(database.dataSource()).build()) {
            watchSynchronousCommit();
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            lease.release();
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
        }
        assertThat(database.queryForString("select string_agg(setting, ' ') from seen"))
                .isEqualTo("on off on");
    }

    private void watchSynchronousCommit() throws SQLException {
        database.execute("create function synchronous() returns trigger language plpgsql as $$ begin"
                + " insert into seen select current_setting('synchronous_commit'); return null; end $$");
        database.execute("create table seen (setting text)");
        database.execute("create trigger seen after insert or update on leases for each row"
                + " execute function synchronous()");
    }

    /** Lost in a crash, the row would be that of a holder who has ended in peace, and be taken for a death. */
    @Test
    void everyEndOfALeaseWithASlotIsDurableWhereTheDefaultIsNot() throws Exception {
        database.execute("alter database " + database.name() + " set synchronous_commit = off");
        var schedule = Schedule.every(Duration.ofDays(300));
        List<Consumer<Lease>> ends = List.of(
                Lease::release,
                Lease::abandon,
                lease -> lease.releaseToRest(Duration.ofMillis(1)),
                AmbientTransactionsTest::finish,
                Lease::releaseDone);
        try (var leases = Leases.on(database.dataSource()).build()) {
            watchSynchronousCommit();
            for (Stamp stamp : Stamp.values()) {
                for (int i = 0; i < ends.size(); i++) {
                    database.execute("delete from seen");
                    String name = stamp + " " + i;
                    ends.get(i)
                            .accept(leases.tryAcquireSlot(new SlotRequest(name, schedule, stamp))
                                    .lease()
                                    .orElseThrow());
                    assertThat(database.queryForString("select string_agg(setting, ' ') from seen"))
                            .as("its row, its acquisition, and its end: %s", name)
                            .isEqualTo("on on on");
                }
            }
        }
    }

    private static void finish(Lease lease) {
        lease.runFenced(lease::finish);
    }

    @Test
    void aConnectionInSomebodysTransactionIsRefusedAndTheTransactionIsLeftAsItWas() throws SQLException {
        database.execute("create table application_data (id int)");
        try (var leases = Leases.on(database.dataSource()).build()) {
            assertThat(leases.rows()).isEmpty();
        }
        try (var callers = database.connect()) {
            callers.setAutoCommit(false);
            callers.createStatement().execute("insert into application_data values (1)");
            try (var leases = Leases.on(new Joining(database.dataSource(), callers))
                    .schema(SchemaMode.NONE)
                    .build()) {
                assertThatExceptionOfType(LeaseException.class)
                        .isThrownBy(() -> leases.tryAcquire("sweep"))
                        .withMessageContaining("in a transaction already");
            }
            assertThat(database.queryForLong("select count(*) from application_data"))
                    .as("not committed behind the caller's back")
                    .isZero();
            callers.createStatement().execute("insert into application_data values (2)");
            callers.commit();
        }
        assertThat(database.queryForLong("select count(*) from application_data"))
                .as("not rolled back either")
                .isEqualTo(2);
        assertThat(database.queryForLong("select count(*) from leases")).isZero();
    }

    /** A proxy as frameworks have them: hands out the caller's own connection, and ignores its close. */
    private static final class Joining extends ForwardingDataSource {

        private final Connection callers;

        Joining(DataSource target, Connection callers) {
            super(target);
            this.callers = callers;
        }

        @Override
        public Connection getConnection() {
            return (Connection) Proxy.newProxyInstance(
                    Joining.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            return null;
                        }
                        try {
                            return method.invoke(callers, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause() == null ? e : e.getCause();
                        }
                    });
        }
    }
}
