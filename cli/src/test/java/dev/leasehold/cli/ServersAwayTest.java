package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.leasehold.testkit.PgBouncer;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Servers that are away, silent, of the wrong kind or behind a pooler; several hosts. */
class ServersAwayTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private Cli.Ran leasesAt(String url) {
        return Cli.bare().run("leases", "--url", url);
    }

    private static void assertOneLine(Cli.Ran ran, String part) {
        assertThat(ran.exitCode()).as("%s", ran).isEqualTo(2);
        assertThat(ran.err()).startsWith("leasehold: ").contains(part).hasLineCount(1);
        assertThat(ran.err()).doesNotContain("s3cret", "Exception");
    }

    @Test
    void whatIsNotThereIsNamed() {
        String place = "localhost:" + database.port();
        assertOneLine(
                leasesAt("postgres://bob:s3cret@localhost:1/app"),
                "no connection to localhost:1, database app, as bob: connection refused");
        // No name server is asked for a label of more than 63 characters.
        String nowhere = "n".repeat(64) + ".invalid";
        assertOneLine(leasesAt("postgres://bob:s3cret@" + nowhere + "/app"), "the host " + nowhere + " is not known");
        assertOneLine(leasesAt("postgres://postgres@" + place + "/nope"), "database \"nope\" does not exist");
        assertOneLine(leasesAt("postgres://nobody@" + place + "/postgres"), "role \"nobody\" does not exist");
        assertOneLine(
                Cli.bare().run("doctor", "--url", "postgres://bob:s3cret@localhost:1/app"),
                "no connection to localhost:1, database app, as bob: connection refused");
    }

    @Test
    void allCommandsSayTheSameOfAServerThatIsAway() {
        String url = "postgres://bob:s3cret@localhost:1/app";
        String line = "no connection to localhost:1, database app, as bob: connection refused; see host and port, and"
                + " whether the server runs and listens there";
        for (String command : List.of(
                "doctor",
                "leases",
                "rounds",
                "release x",
                "run-now x",
                "pause x",
                "resume x",
                "schema --check",
                "schema --apply",
                "budget --role web=1x1")) {
            String[] all = (command + " --json --url " + url).split(" ", -1);
            Cli.Ran ran = Cli.bare().run(all);
            assertThat(ran.err()).as(command).isEqualTo("leasehold: " + line + "\n");
            assertThat(JsonParser.parseString(ran.out()))
                    .as(command)
                    .isEqualTo(JsonParser.parseString("{\"error\": \"" + line + "\", \"code\": \"unreachable\"}"));
        }
    }

    @Test
    void whereNothingSaysWhereToLookTheErrorSaysSo() {
        assertThat(Cli.bare().run("leases").err())
                .startsWith(
                        "leasehold: no --url and no DATABASE_URL given: tried localhost:5432, database alice, as alice: ")
                .hasLineCount(1);
        assertThat(Cli.bare().with("PGPORT", "1").run("leases").err())
                .startsWith("leasehold: no connection to localhost:1, database alice, as alice: ");
    }

    @Test
    void anEmptyUrlIsNotTheDefault() {
        for (List<String> empty : List.of(List.of("--url", ""), List.of("--url="), List.of(""), List.of(" "))) {
            String[] all = Stream.concat(Stream.of("doctor"), empty.stream()).toArray(String[]::new);
            assertOneLine(Cli.on(database).run(all), "--url is empty: is a variable of the shell not set?");
        }
    }

    @Test
    void aUrlMayStandWherePsqlTakesIt() throws SQLException {
        database.execute(Cli.bare().run("schema").out());
        String url = "postgres://postgres@localhost:" + database.port() + "/" + database.name();
        for (String command : List.of("doctor", "leases", "schema --check", "budget --role web=1x1")) {
            assertThat(Cli.bare().run((command + " " + url).split(" ", -1)).exitCode())
                    .as(command)
                    .isZero();
        }
        assertOneLine(Cli.bare().run("leases", url, "--url", url), "the URL is there twice");
        assertThat(Cli.bare().run("rounds", url).err())
                .contains("it says how to connect: that is a URL, and goes after --url");
    }

    @Test
    void aServerWithoutTlsIsNamedAsSuch() {
        String url = "postgres://postgres@localhost:" + database.port() + "/" + database.name();
        for (String mode : List.of("require", "verify-full")) {
            for (String command : List.of("leases", "doctor")) {
                assertOneLine(
                        Cli.bare().run(command, "--url", url + "?sslmode=" + mode),
                        "the server has no TLS, and sslmode=" + mode + " asks for it; sslmode=prefer takes TLS where");
            }
        }
        assertOneLine(
                leasesAt(url + "?sslmod=require"),
                "--url: a parameter is not one that the JDBC driver for PostgreSQL knows, or has something like;"
                        + " did you mean sslmode?");
    }

    @Test
    void aServerThatSaysNothingIsGivenUpInTime() throws IOException {
        try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            long start = System.nanoTime();
            assertOneLine(
                    leasesAt("postgres://bob@127.0.0.1:" + silent.getLocalPort()
                            + "/app?connect_timeout=1&sslmode=disable&gssencmode=disable"),
                    "no connection to 127.0.0.1:" + silent.getLocalPort() + ", database app, as bob: ");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void severalHostsAreTriedInTurnAndTheirKindIsHeeded() throws SQLException {
        String both = "postgres://postgres@localhost:1,localhost:" + database.port() + "/" + database.name();
        database.execute(Cli.bare().run("schema").out());
        assertThat(leasesAt(both).exitCode()).isZero();
        assertThat(leasesAt(both + "?target_session_attrs=read-write").exitCode())
                .isZero();
        assertOneLine(leasesAt(both + "?target_session_attrs=standby"), "secondary");
    }

    @Test
    void theServerSeesWhoAsks() throws SQLException {
        Cli cli = Cli.on(database);
        database.execute(Cli.bare().run("schema").out());
        database.execute("create table seen (name text)");
        database.execute("create function see() returns trigger language plpgsql as $$ begin insert into seen"
                + " values (current_setting('application_name')); return new; end $$");
        database.execute("create trigger see before insert on leases for each row execute function see()");
        cli.run("pause", "one");
        cli.with("PGAPPNAME", "ops").run("pause", "two");
        assertThat(database.queryForString("select string_agg(name, ',' order by name) from seen"))
                .isEqualTo("leasehold,ops");
    }

    @Test
    void aPoolerThatGivesEachTransactionAnotherSessionIsNoHindrance() throws Exception {
        database.execute(Cli.bare().run("schema").out());
        database.execute(
                "insert into leases (name, holder, expires_at) values ('sweep', 'h', now() + interval '1 hour')");
        try (var bouncer = PgBouncer.before(database)) {
            String url = bouncer.jdbcUrl("");
            for (int i = 0; i < 6; i++) {
                for (List<String> command : List.of(
                        List.of("leases"), List.of("pause", "round"), List.of("resume", "round"), List.of("rounds"))) {
                    Cli.Ran ran = Cli.bare()
                            .run(Stream.concat(command.stream(), Stream.of("--url", url))
                                    .toArray(String[]::new));
                    assertThat(ran.exitCode()).as("%s", ran).isZero();
                }
            }
            assertThat(Cli.bare().run("doctor", "--url", url).exitCode()).isLessThan(2);
            assertThat(Cli.bare().run("release", "sweep", "--yes", "--url", url).exitCode())
                    .isZero();
        }
    }
}
