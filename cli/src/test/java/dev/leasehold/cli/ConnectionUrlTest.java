package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUrlTest {

    private static Map<String, String> parsed(String url) {
        return ConnectionUrl.parse("--url", url).parameters();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "postgresql", "jdbc:postgresql"})
    void allSchemesMeanTheSame(String scheme) {
        assertThat(parsed(scheme + "://bob:s3cret@db.example.org:6432/app?sslmode=require"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "user", "bob",
                        "password", "s3cret",
                        "host", "db.example.org",
                        "port", "6432",
                        "dbname", "app",
                        "sslmode", "require"));
    }

    @Test
    void everythingMayBeLeftOut() {
        assertThat(parsed("postgresql://")).isEmpty();
        assertThat(parsed("postgresql:///app")).isEqualTo(Map.of("dbname", "app"));
        assertThat(parsed("postgresql://db")).containsEntry("host", "db").doesNotContainKey("dbname");
        assertThat(parsed("jdbc:postgresql:app")).isEqualTo(Map.of("dbname", "app"));
        assertThat(parsed("jdbc:postgresql:/")).isEmpty();
        assertThat(parsed(" postgres://bob@db/app\n")).containsEntry("dbname", "app");
    }

    @Test
    void severalHostsKeepTheirPorts() {
        assertThat(parsed("postgresql://a:1,b,[::1]:3/app"))
                .containsEntry("host", "a,b,[::1]")
                .containsEntry("port", "1,,3");
    }

    @Test
    void escapedSignsAreTakenAsTheyAreAndAPlusIsAPlusExceptWhereTheDriverTakesItAsASpace() {
        assertThat(parsed("postgres://b%40b:p%2Fw%3A%3F%23+%25@db/a%20b?application_name=x%20y+z"))
                .containsEntry("user", "b@b")
                .containsEntry("password", "p/w:?#+%")
                .containsEntry("dbname", "a b")
                .containsEntry("application_name", "x y+z");
        assertThat(parsed("jdbc:postgresql://db/app?ApplicationName=x+y&ssl"))
                .containsEntry("ApplicationName", "x y")
                .containsEntry("ssl", "");
    }

    @Test
    void anUnescapedAtSignInThePasswordIsUnderstood() {
        assertThat(parsed("postgres://bob:p@ss@db/app"))
                .containsEntry("password", "p@ss")
                .containsEntry("host", "db");
    }

    @Test
    void aParameterOverridesWhatStandsBeforeIt() {
        assertThat(parsed("postgresql://bob@db/app?host=other&user=eve&dbname=b&password=x%26y"))
                .containsEntry("host", "other")
                .containsEntry("user", "eve")
                .containsEntry("dbname", "b")
                .containsEntry("password", "x&y");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s3cret",
                "s3cret://bob@db/app",
                "mysql://bob:s3cret@db/app",
                "postgresql+asyncpg://bob:s3cret@db/app",
                "postgres:bob:s3cret@db/app",
                "jdbc:postgresql:bob:s3cret@db",
                "host=db password=s3cret",
                "postgres://bob:s3cret/x@db/app",
                "postgres://bob:1/s3cret@db/app",
                "postgres://bob:1?s3cret=x@db/app",
                "postgres://bob:s3cret?x@db/app",
                "postgres://bob:s3cret",
                "postgres://bob:s3cret@db:port/app",
                "postgres://bob:s3cret@db:0/app",
                "postgres://bob:s3cret@db:65536/app",
                "postgres://bob:s3cret@db:654321/app",
                "postgres://bob:s3cret@d b/app",
                "postgres://bob:s3cret@[::1/app",
                "postgres://bob:s3cret%@db/app",
                "postgres://bob:s3cret%zz@db/app",
                "postgres://bob:s3cret%00@db/app",
                "postgres://bob:s3cret@db/app?s3cret",
                "postgres://bob@db/app?password=a&s3cret@x=y",
                "postgres://bob:s3cret@db/app/more",
                "postgres://bob:s3cret@db#1/app",
            })
    void whatCannotBeUnderstoodIsRefusedWithARuleAndNoneOfIt(String wrong) {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> ConnectionUrl.parse("DATABASE_URL", wrong))
                .withMessageStartingWith("DATABASE_URL can't be understood: ")
                .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.USAGE))
                .satisfies(failure -> assertThat(failure.line()).doesNotContain("s3cret", "bob", "\n"));
    }

    @Test
    void anotherSchemeIsNamedAndTheRuleToo() {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> ConnectionUrl.parse("--url", "postgresq://bob:s3cret@db/app"))
                .withMessage("--url can't be understood: a database URL must begin with postgresql://, postgres:// or"
                        + " jdbc:postgresql://; this one begins with postgresq://");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> ConnectionUrl.parse("--url", "host=db password=s3cret"))
                .withMessageEndingWith("; name=value pairs are not understood");
    }

    @Test
    void nothingThatADebuggerShowsHoldsAValue() {
        assertThat(ConnectionUrl.parse("--url", "postgres://bob:s3cret@db/app").toString())
                .doesNotContain("s3cret");
    }
}
