package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SQL can be run as it is, whatever the names are. */
class SqlTextTest {

    private static final List<String> NAMES = List.of(
            "plain",
            "a\"b",
            "it's",
            "back\\slash",
            "line\nbreak \u001b[2J",
            "turn\u202eed",
            "ta\udb40\udc01g",
            "\ud83d\udc18");

    @Test
    void sessionsAreEndedInOneStatement() {
        assertThat(SqlText.terminate(List.of(7))).isEqualTo("select pg_terminate_backend(7);");
        assertThat(SqlText.terminate(List.of(7, 8)))
                .isEqualTo("select pg_terminate_backend(pid) from unnest(array[7, 8]) as pid;");
        assertThat(SqlText.cancel(List.of(7))).isEqualTo("select pg_cancel_backend(7);");
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void anyNameIsALiteralAndAnIdentifierOnOneLine(PostgresVersion version) throws Exception {
        TestDatabase database = TestPostgres.freshDatabase(version);
        for (String name : NAMES) {
            String sql = "select " + SqlText.literal(name) + " as " + SqlText.identifier(name);
            assertThat(sql).doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
            try (var connection = database.connect();
                    var statement = connection.createStatement();
                    var row = statement.executeQuery(sql)) {
                row.next();
                assertThat(row.getString(1)).isEqualTo(name);
                assertThat(row.getMetaData().getColumnLabel(1)).isEqualTo(name);
            }
        }
        assertThat(SqlText.identifier("a\"b")).isEqualTo("\"a\"\"b\"");
        assertThat(SqlText.literal("it's")).isEqualTo("'it''s'");
    }
}
