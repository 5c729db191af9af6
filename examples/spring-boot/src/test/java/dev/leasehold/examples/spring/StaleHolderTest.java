package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LeaseLostException;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class StaleHolderTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private ConfigurableApplicationContext application() throws SQLException {
        AnotherSender.of(database);
        return new SpringApplicationBuilder(Application.class)
                .properties(AnotherSender.OPTIONS)
                .run("--server.port=0", "--spring.datasource.url=" + database.jdbcUrl(), "--invoices.wait=1s");
    }

    @Test
    void whatAStaleHolderWroteIsNeverCommitted() throws Exception {
        try (var application = application();
                Connection other = database.connect()) {
            var invoices = application.getBean(Invoices.class);
            assertThat(invoices.next("someone")).hasValue(1);

            other.setAutoCommit(false);
            execute(other, "lock table invoice");
            var late = CompletableFuture.supplyAsync(() -> invoices.next("someone else"));
            await("select count(*) from pg_locks l join pg_class c on c.oid = l.relation"
                    + " where c.relname = 'invoice' and not l.granted");
            database.execute("update leases set holder = 'another', fence = fence + 1 where name = 'invoices'");
            other.rollback();

            assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
            assertThat(database.queryForLong("select count(*) from invoice")).isEqualTo(1);
        }
    }

    @Test
    void aCallThatFindsOthersBusyAnswersNothing() throws Exception {
        try (var application = application()) {
            database.execute("insert into leases (name, holder, expires_at)"
                    + " values ('invoices', 'another', now() + interval '1 day')");
            OptionalLong number = application.getBean(Invoices.class).next("someone");
            assertThat(number).isEmpty();
            assertThat(database.queryForLong("select count(*) from invoice")).isZero();
        }
    }

    private static void execute(Connection connection, String sql) throws Exception {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void await(String sql) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (database.queryForLong(sql) == 0) {
            assertThat(System.nanoTime()).as(sql).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
