package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The clock of this machine against the database's. */
class ClocksTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static List<Finding> look(PostgresVersion version, InstantSource clock) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        try (var connection = database.connect()) {
            var from = new Look.From(database.dataSource(), Questions.DEFAULTS, Duration.ofSeconds(15));
            return Told.of(Look.through(connection, from, clock, Look::diagnosis), FindingKind.CLOCK);
        }
    }

    @ParameterizedTest
    @EnumSource
    void clocksThatAgreeAreNotTold(PostgresVersion version) throws SQLException {
        assertThat(look(version, InstantSource.system())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"OLDEST, PT-1H, ahead of", "NEWEST, PT-1H, ahead of", "OLDEST, PT1H, behind", "NEWEST, PT1H, behind"})
    void clocksThatDifferAreInformation(PostgresVersion version, Duration shift, String how) throws SQLException {
        List<Finding> findings = look(version, InstantSource.offset(InstantSource.system(), shift));
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).severity()).isEqualTo(Severity.INFORMATION);
        assertThat(findings.get(0).title())
                .matches("the database's clock is (1 h|59 min 5\\d s) " + how + " this machine's");
        assertThat(findings.get(0).meaning()).startsWith("No lease depends on it");
    }

    /** Anything from the sending to the coming of the answer may be the moment at which the database looked. */
    @ParameterizedTest
    @CsvSource({
        "0, 1000, false",
        "0, 1001, true",
        "0, -1001, true",
        "600, 1600, false",
        "600, 1601, true",
        "600, -1000, false",
        "600, -1001, true"
    })
    void theRoundTripIsTakenIntoAccount(long roundTripMillis, long afterTheSendingMillis, boolean isTold) {
        var reading = new ClockReading(NOON, NOON.plusMillis(afterTheSendingMillis), NOON.plusMillis(roundTripMillis));
        assertThat(ClockCheck.judge(reading)).hasSize(isTold ? 1 : 0);
    }
}
