package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A table that lacks a column, and is used by a transaction that stays open. */
class SchemaBesideOpenTransactionsTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final TableSchema schema = new TableSchema(TableShape.LEASES, TableName.of(LeasesBuilder.DEFAULT_TABLE), 1);

    @Test
    void theErrorNamesTheProcessesOfTheTransactionsThatHaveToEnd() throws Exception {
        Leases.on(database.dataSource()).build().close();
        database.execute("alter table leases drop column pause_reason");
        try (var reader = database.connect();
                var statement = reader.createStatement();
                var connection = database.connect()) {
            reader.setAutoCommit(false);
            statement.execute("select count(*) from leases");
            int pid;
            try (var rows = statement.executeQuery("select pg_backend_pid()")) {
                rows.next();
                pid = rows.getInt(1);
            }
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> schema.create(connection))
                    .withMessageContaining("wait for the open transactions that use the table, or end them:"
                            + " server processes " + pid + ")")
                    .satisfies(
                            e -> assertThat(SqlState.LOCK_NOT_AVAILABLE.isIn(e)).isTrue());
            reader.rollback();
            assertThat(schema.create(connection)).contains("pause_reason");
        }
    }

    @Test
    void theErrorSaysSoIfItIsAnotherInstanceThatIsWaitedFor() throws Exception {
        try (var another = database.connect();
                var statement = another.createStatement();
                var connection = database.connect()) {
            another.setAutoCommit(false);
            statement.execute("select pg_advisory_xact_lock(hashtextextended('leasehold schema', 0))");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> schema.create(connection))
                    .withMessageContaining("another instance is at it, perhaps");
            another.rollback();
        }
    }
}
