package dev.leasehold.watch.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.MigratedDatabase;
import org.junit.jupiter.api.Test;

class MigrationTest {

    /** What was delivered stays in the table, and must not slow down the search for what was not. */
    @Test
    void whatIsToBeDeliveredIsFoundByAnIndexOfItsOwn() {
        try (var database = new MigratedDatabase()) {
            assertThat(database.aside()
                            .sql("select indexdef from pg_indexes where tablename = 'outbox'")
                            .query(String.class)
                            .list())
                    .anyMatch(index -> index.endsWith("(next_attempt_at) WHERE (delivered_at IS NULL)"));
        }
    }
}
