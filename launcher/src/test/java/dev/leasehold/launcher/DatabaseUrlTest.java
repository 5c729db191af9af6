package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class DatabaseUrlTest {

    @Test
    void allThreeSchemesMeanTheSame() {
        for (String scheme : List.of("jdbc:postgresql", "postgresql", "postgres")) {
            DatabaseUrl url = DatabaseUrl.parse(scheme + "://alice:secret@db.example.org:6543/watch");

            assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example.org:6543/watch");
            assertThat(url.user()).hasValue("alice");
            assertThat(url.password()).hasValue("secret");
            assertThat(url.place()).isEqualTo("db.example.org:6543, database watch");
        }
    }

    @Test
    void userAndPasswordLeaveTheParametersAndTheOthersStay() {
        DatabaseUrl url = DatabaseUrl.parse(
                "jdbc:postgresql://db/watch?user=alice&sslmode=require&password=s%26t&prepareThreshold=0");

        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db/watch?sslmode=require&prepareThreshold=0");
        assertThat(url.user()).hasValue("alice");
        assertThat(url.password()).hasValue("s&t");
    }

    @Test
    void signsInAPasswordAreWrittenInHexadecimal() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://alice:a%40b%3A%2F+%25@db/watch");

        assertThat(url.password()).hasValue("a@b:/+%");
    }

    @Test
    void anUnescapedAtSignInThePasswordIsUnderstood() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://alice:a@b@db/watch");

        assertThat(url.password()).hasValue("a@b");
        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db/watch");
    }

    @Test
    void whatIsNotNamedIsTheDriversDefault() {
        DatabaseUrl url = DatabaseUrl.parse("postgresql://");

        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql:///");
        assertThat(url.user()).isEmpty();
        assertThat(url.password()).isEmpty();
        assertThat(url.place()).isEqualTo("localhost:5432");
    }

    @Test
    void severalHostsAndAddressesInBracketsArePassedOn() {
        DatabaseUrl url = DatabaseUrl.parse("postgresql://[::1]:5433,db2/watch");

        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://[::1]:5433,db2/watch");
        assertThat(url.place()).isEqualTo("[::1]:5433,db2:5432, database watch");
    }

    @Test
    void nothingThatIsPrintedHoldsThePassword() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://alice:secret@db/watch?password=secret");

        assertThat(url.toString()).doesNotContain("secret");
        assertThat(url.place()).doesNotContain("secret");
        assertThat(url.jdbcUrl()).doesNotContain("secret");
    }

    @Test
    void whatCannotBeUnderstoodIsRefusedWithoutRepeatingAnyOfIt() {
        for (String wrong : List.of(
                "mysql://alice:secret@db/watch",
                "alice:secret@db/watch",
                "postgres://alice:secret/x@db/watch",
                "postgres://alice:12/secret@db/watch",
                "postgres://alice:secret@db:port/watch",
                "postgres://alice:secret@db:70000/watch",
                "postgres://alice:secret%2@db/watch",
                "postgres://alice:secret@d b/watch")) {
            assertThatThrownBy(() -> DatabaseUrl.parse(wrong))
                    .as(wrong)
                    .isInstanceOfSatisfying(
                            LaunchException.class,
                            refusal -> assertThat(refusal.exitCode()).isEqualTo(2))
                    .hasMessageStartingWith("--database-url can't be understood: ")
                    .hasMessageNotContainingAny("secret", "alice");
        }
    }
}
