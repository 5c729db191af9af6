package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code budget}: what it prints, and what it ends with. */
class BudgetCommandTest {

    private static Cli.Ran budget(String arguments) {
        return Cli.bare().run(("budget " + arguments).split(" ", -1));
    }

    @Test
    void fortyEightOfAHundredAndTwenty() {
        Cli.Ran ran = budget("--role web=2x4 --role worker=2x4 --role scheduler=2x4 --overlap 2 --limit 120");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).isEqualTo("""
                        ROLE       INSTANCES  OVERLAP  POOL  CONNECTIONS  LARGEST POOL
                        web        2          2        4     16           22
                        worker     2          2        4     16           22
                        scheduler  2          2        4     16           22

                        It fits: 48 of 120 are needed, 72 are left. The largest pool that all roles could have is 10.
                        """);
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void withoutALimitAndAServerOnlyTheNeedIsTold() {
        Cli.Ran ran = budget("--role web=2x4 --role worker=2x4 --role scheduler=2x4 --reserve 3");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).isEqualTo("""
                        ROLE       INSTANCES  OVERLAP  POOL  CONNECTIONS
                        web        2          2        4     16
                        worker     2          2        4     16
                        scheduler  2          2        4     16

                        48 connections are needed, and 3 more for people and tools; no limit given: --limit, or a server to ask.
                        """);
        JsonObject said =
                JsonParser.parseString(budget("--role web=2x4 --json").out()).getAsJsonObject();
        assertThat(said.get("needed").getAsInt()).isEqualTo(16);
        for (String unknown : List.of("fits", "limit", "left", "largest_pool", "server")) {
            assertThat(said.get(unknown).isJsonNull()).as(unknown).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PGHOST, localhost, true",
        "PGHOSTADDR, 127.0.0.1, true",
        "PGPORT, 5432, true",
        "PGUSER, app, true",
        "PGDATABASE, app, true",
        "DATABASE_URL, postgresql:///, true",
        "PGAPPNAME, app, false",
        "PGHOST, '', false",
        "DATABASE_URL, '', false"
    })
    void eachVariableThatSaysWhichServerNamesOne(String variable, String value, boolean isNamed) {
        var commandLine = Cli.bare().with(variable, value).commandLine(nowhere(), nowhere());
        var parsed = commandLine.parseArgs("budget", "--role", "web=2x4").asCommandLineList();
        BudgetCommand budget = parsed.get(1).getCommand();
        assertThat(budget.database.isNamed()).isEqualTo(isNamed);
    }

    private static PrintWriter nowhere() {
        return new PrintWriter(Writer.nullWriter());
    }

    @Test
    void aServerThatTheEnvironmentNamesIsAsked() {
        // a port that nobody listens on
        Cli.Ran ran = Cli.bare().with("PGPORT", "1").run("budget", "--role", "web=2x4");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("refused");
    }

    @Test
    void whatDoesNotFitEndsWithOne() {
        Cli.Ran ran = budget("--role web=20x10 --role migration=1x1x1 --reserve 5 --limit 50 --json");
        assertThat(ran.exitCode()).isEqualTo(1);
        JsonObject said = JsonParser.parseString(ran.out()).getAsJsonObject();
        assertThat(said.get("fits").getAsBoolean()).isFalse();
        assertThat(said.get("needed").getAsInt()).isEqualTo(401);
        assertThat(said.get("limit").getAsInt()).isEqualTo(45);
        assertThat(said.get("left").getAsInt()).isEqualTo(-356);
        assertThat(said.get("largest_pool").getAsInt()).isEqualTo(1);
        assertThat(said.get("server").isJsonNull()).isTrue();
        JsonObject web = said.getAsJsonArray("roles").get(0).getAsJsonObject();
        assertThat(web.get("overlap").getAsInt()).isEqualTo(2);
        assertThat(web.get("largest_pool").getAsInt()).isEqualTo(1);
    }

    @Test
    void aReserveThatIsLargerThanTheLimitLeavesNothing() {
        Cli.Ran ran = budget("--role web=1x1 --overlap 1 --reserve 60 --limit 50");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out())
                .contains("60 connections kept for people and tools leave -10.")
                .contains("1 of -10 are needed, 11 too many. Not even pools of one fit.");
    }

    @Test
    void aServerIsAskedForItsLimits() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("alter database " + database.name() + " connection limit 40");
        try (var connected = database.connect()) {
            assertThat(connected.isValid(30)).isTrue();
            // a session lives for a moment after its client has closed it
            Await.until("no other session is there", () -> {
                try (var statement = connected.createStatement();
                        var row = statement.executeQuery("select count(*) from pg_stat_activity"
                                + " where datname = current_database() and pid <> pg_backend_pid()")) {
                    return row.next() && row.getLong(1) == 0;
                }
            });
            Cli.Ran ran = budget("--role web=2x10 --url " + database.jdbcUrl());
            assertThat(ran.exitCode()).isZero();
            assertThat(ran.out())
                    .contains("The server has 40 connections for role postgres in database " + database.name()
                            + ": max_connections is 200, 3 of them kept for superusers, database " + database.name()
                            + " has a limit of 40.")
                    .contains(", 1 to that database, ")
                    .endsWith(
                            "It fits: 40 of 40 are needed, 0 are left. The largest pool that all roles could have is 10.\n");
        }
        Cli.Ran ofNobody = budget("--role web=2x10 --as nobody --url " + database.jdbcUrl());
        assertThat(ofNobody.exitCode()).isEqualTo(2);
        assertThat(ofNobody.err()).isEqualTo("leasehold: the server has no role \"nobody\"\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--limit 3 | Missing required option",
                "--role web=20 --limit 3 | it is \"web=20\", but must be NAME=INSTANCESxPOOL",
                "--role web=0x4 --limit 3 | instances of role \"web\" is 0, but must be 1 to 100,000",
                "--role web=2x4 --overlap 0 --limit 3 | overlap of role \"web\" is 0",
                "--role web=2x4 --role web=1x4 --limit 3 | role \"web\" is there twice",
                "--role web=2x4 --limit -1 | --limit is -1, but must be 0 to 1,000,000",
                "--role web=2x4 --limit 3 --reserve -1 | --reserve is -1",
                "--role web=2x4 --limit 3 --url postgresql://h/d | --limit does not go with a URL",
                "--role web=2x4 --url jdbc:postgresql://localhost:1/d?user=u | refused"
            })
    void nonsenseIsToldWithItsRule(String arguments, String said) {
        Cli.Ran ran = budget(arguments);
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).startsWith("leasehold: ").contains(said).hasLineCount(1);
        assertThat(ran.out()).isEmpty();
    }
}
