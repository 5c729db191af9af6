package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Await;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many connections a real server says it has. */
class CapacityTest {

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void theLeastOfTheLimitsIsWhatARoleCanHave(PostgresVersion version) throws Exception {
        TestDatabase database = TestPostgres.freshDatabase(version);
        String role = "limited_" + database.name();
        database.execute("create role " + role + " login");
        Capacity ofServer = Doctor.on(database.dataSource()).capacityFor(role);
        assertThat(ofServer.maxConnections()).isEqualTo(200);
        assertThat(ofServer.usable()).isEqualTo(200 - ofServer.superuserReserved() - ofServer.reserved());
        assertThat(ofServer.superuserReserved()).isPositive();
        assertThat(ofServer.words()).isEqualTo("max_connections is 200, 3 of them kept for superusers");

        database.execute("alter database " + database.name() + " connection limit 50");
        assertThat(Doctor.on(database.dataSource()).capacityFor(role).usable()).isEqualTo(50);
        database.execute("alter role " + role + " connection limit 20");
        Capacity limited = Doctor.on(database.dataSource()).capacityFor(role);
        assertThat(limited.usable()).isEqualTo(20);
        assertThat(limited.words())
                .endsWith("database " + database.name() + " has a limit of 50, role " + role + " has a limit of 20");

        // An ordinary role sees the same of itself, and counts what others have.
        try (var mine = database.dataSourceAs(role, "").getConnection();
                var others = database.connect()) {
            assertThat(mine.isValid(30) && others.isValid(30)).isTrue();
            Doctor doctor = Doctor.on(database.dataSourceAs(role, ""));
            Capacity own = awaited(doctor);
            assertThat(own.role()).isEqualTo(role);
            assertThat(own.usable()).isEqualTo(20);
            assertThat(own.connectedAsRole()).isEqualTo(1);
            assertThat(own.connectedToDatabase()).isEqualTo(2);
            assertThat(own.connected()).isGreaterThanOrEqualTo(2);
        }
    }

    /** A session lives for a moment after its client has closed it, that of the last look too. */
    private static Capacity awaited(Doctor doctor) throws Exception {
        var seen = new ArrayDeque<Capacity>();
        Await.until("only these two sessions", Duration.ofSeconds(20), () -> {
            Capacity now = doctor.capacity();
            seen.add(now);
            return now.connectedToDatabase() == 2 && now.connectedAsRole() == 1;
        });
        return seen.getLast();
    }

    @Test
    void aSuperusersOwnLimitDoesNotBindIt() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        String role = "super_" + database.name();
        database.execute("create role " + role + " login superuser connection limit 5");
        assertThat(Doctor.on(database.dataSource()).capacityFor(role).roleLimit())
                .isEmpty();
        database.execute("drop role " + role);
    }

    @Test
    void anUnknownRoleIsRefused() {
        Doctor doctor = Doctor.on(TestPostgres.freshDatabase().dataSource());
        assertThatThrownBy(() -> doctor.capacityFor("nobody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the server has no role \"nobody\"");
    }
}
