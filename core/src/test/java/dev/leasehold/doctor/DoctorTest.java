package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a look tells whatever it finds, and what it refuses. */
class DoctorTest {

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void aLookTellsWhichServerItWasAndAsWhom(PostgresVersion version) throws Exception {
        TestDatabase database = TestPostgres.freshDatabase(version);
        Diagnosis diagnosis = Doctor.on(database.dataSource()).look();
        assertThat(diagnosis.server().major()).isEqualTo(version.major());
        assertThat(diagnosis.server().version()).startsWith(version.major() + ".");
        assertThat(diagnosis.server().database()).isEqualTo(database.name());
        assertThat(diagnosis.server().role()).isEqualTo(database.user());
    }

    @Test
    void whatItCannotLookForIsRefusedWithTheRule() {
        Doctor doctor = Doctor.on(TestPostgres.freshDatabase().dataSource());
        assertThatThrownBy(() -> doctor.withBudget(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("budget is 0, but must be 1 or more connections");
        assertThatThrownBy(() -> doctor.withLongTransaction(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("longTransaction is PT0S, but must be PT0.01S or more");
        assertThatThrownBy(() -> doctor.withTable("a.b.c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"a.b.c\"");
        assertThat(doctor.withNames(List.of("sweep"))).isNotSameAs(doctor);
    }
}
