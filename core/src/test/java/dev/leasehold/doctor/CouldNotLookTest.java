package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that cannot be asked is told of in one line, with what to do and without a password. */
class CouldNotLookTest {

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void whoIsUnknownToTheServerIsToldSo(PostgresVersion version) {
        TestDatabase database = TestPostgres.freshDatabase(version);
        assertThatThrownBy(() -> Doctor.on(database.dataSourceAs("nobody", "")).look())
                .isInstanceOf(CouldNotLookException.class)
                .hasMessage(
                        "the role does not exist, or may not connect from here: see the role, and pg_hba.conf of the"
                                + " server (FATAL: role \"nobody\" does not exist)");
        String elsewhere = database.jdbcUrl().replace(database.name(), "nowhere");
        assertThatThrownBy(() -> Doctor.on(TestDatabase.dataSource(elsewhere)).look())
                .isInstanceOf(CouldNotLookException.class)
                .hasMessage("the database does not exist: see its name in the URL (FATAL: database \"nowhere\" does not"
                        + " exist)");
    }

    @Test
    void aServerThatIsAwayIsToldSo() throws Exception {
        int unused;
        try (var socket = new ServerSocket(0)) {
            unused = socket.getLocalPort();
        }
        String url = "jdbc:postgresql://localhost:" + unused + "/shop?user=app&password=s3cret";
        assertThatThrownBy(() -> Doctor.on(TestDatabase.dataSource(url)).look())
                .isInstanceOf(CouldNotLookException.class)
                .hasMessageStartingWith("the server is away or cannot be reached: see the host and port")
                .hasMessageNotContaining("s3cret")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, the password is wrong or missing",
        "57P03, the server takes no connections now",
        "57P01, the session was ended by the server",
        "57014, the server did not answer within the bounds of a look",
        "55000, the database takes no connections",
        "08P01, what answers there is no PostgreSQL server",
        "08006, the server is away",
        "XX000, could not look"
    })
    void eachStateHasItsAdvice(String sqlState, String advice) {
        assertThat(CouldNotLookException.because(new SQLException("FATAL:\n  so", sqlState)))
                .hasMessageStartingWith(advice)
                .hasMessageEndingWith("(FATAL: so)");
    }

    @Test
    void theReasonBelowAPoolIsTold() {
        var pool = new SQLTransientConnectionException(
                "pool - Connection is not available", new SQLException("FATAL: full", "53300"));
        assertThat(CouldNotLookException.because(pool))
                .hasMessageStartingWith("no connection is left")
                .hasMessageEndingWith("(FATAL: full)");
        assertThat(CouldNotLookException.because(new SQLTransientConnectionException("timed out after 30000ms")))
                .hasMessage(
                        "the pool has no connection to lend: give the doctor a DataSource of its own (timed out after"
                                + " 30000ms)");
    }

    @Test
    void noPasswordIsTold() {
        String url = "jdbc:x://app:s3cr@t@host/shop?user=app&password=s3cret&sslpassword=s3cret&ssl=true";
        var thrown = CouldNotLookException.because(new SQLException("No suitable driver for " + url, "08001"));
        assertThat(thrown)
                .hasMessageEndingWith("for jdbc:x://app:***@host/shop?user=app&password=***&sslpassword=***&ssl=true)")
                .hasNoCause();
        assertThat(CouldNotLookException.because(new SQLException("x", "08001")))
                .hasCauseInstanceOf(SQLException.class);
    }
}
