package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.Leases;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RoundsCommandTest {

    private static final String LEASES = """
            insert into leases (name, holder, taken_at, expires_at, done_slot, deaths, pause_reason)
            values ('uptime@node-b', 'h2/1/a', now(), 'epoch', now() - interval '30 seconds', 2, null),
                   ('uptime@node-a', 'h1/1/a', now(), now() + interval '1 minute', now() - interval '20 seconds', 0, null),
                   ('report', '-', now(), 'epoch', now() - interval '20 hours', 0, 'too loud'),
                   ('monthly', 'h5/1/a', now(), 'epoch', '-infinity', 0, null),
                   ('dead', 'h3/1/a', now(), now() - interval '1 minute', now() - interval '1 hour', 0, null),
                   ('plain', 'h4/1/a', now(), now() + interval '1 minute', null, 0, null)
            """;
    private static final String RUNS = """
            insert into round_runs
            select 'uptime@node-a', g, 'uptime', 'node-a', now() - g * interval '10 seconds', false, 'h1/1/a',
                   now() - g * interval '10 seconds', now() - g * interval '10 seconds' + interval '350 ms',
                   case when g % 4 = 0 then 'TIMED_OUT' else 'DONE' end, g % 4 <> 0,
                   case when g % 4 = 0 then E'java.lang.Error: \\x1b[31mboom\\n at x' end
              from generate_series(1, 30) g
            """;

    private static TestDatabase withRows(PostgresVersion version) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        try (var leases = Leases.on(database.dataSource()).build()) {
            leases.runHistory().build();
        }
        database.execute(LEASES);
        database.execute(RUNS);
        return database;
    }

    private static List<String> lines(Cli.Ran ran) {
        return ran.out().lines().map(line -> line.replaceAll(" {2,}", " ")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void roundsAreToldByNameAndNodeWithTheirStateAndOutcomes(PostgresVersion version) throws SQLException {
        Cli.Ran ran = Cli.on(withRows(version)).run("rounds");
        assertThat(ran.exitCode()).isZero();
        List<String> lines = lines(ran);
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0)).isEqualTo("ROUND NODE STATE LAST COUNTED SLOT AGE LAST RUN LAST RUNS NOTE HOLDER");
        assertThat(lines.get(1)).matches("dead died \\S+Z 1h(0m)?");
        assertThat(lines.get(2)).isEqualTo("monthly idle due at once");
        assertThat(lines.get(3)).matches("report paused \\S+Z 20h paused: too loud");
        assertThat(lines.get(4)).matches("uptime node-a running \\S+Z 2\\ds done \\S+ ago 2 timed out of 10 h1/1/a");
        assertThat(lines.get(5)).matches("uptime node-b idle \\S+Z 3\\ds 2 holders in a row died");
    }

    @Test
    void jsonTellsTheSame() throws SQLException {
        Cli.Ran ran = Cli.on(withRows(PostgresVersion.NEWEST)).run("rounds", "uptime", "--json");
        JsonObject document = JsonParser.parseString(ran.out()).getAsJsonObject();
        assertThat(document.get("history").getAsBoolean()).isTrue();
        assertThat(document.getAsJsonArray("rounds")).hasSize(2);
        JsonObject nodeA = document.getAsJsonArray("rounds").get(0).getAsJsonObject();
        assertThat(nodeA.keySet())
                .containsExactly(
                        "lease",
                        "round",
                        "node",
                        "state",
                        "running",
                        "holder",
                        "running_for_seconds",
                        "done_slot",
                        "done_slot_age_seconds",
                        "made_due",
                        "pause_reason",
                        "deaths",
                        "last_outcomes");
        assertThat(nodeA.get("last_outcomes").toString())
                .isEqualTo(
                        "[\"DONE\",\"DONE\",\"DONE\",\"TIMED_OUT\",\"DONE\",\"DONE\",\"DONE\",\"TIMED_OUT\",\"DONE\",\"DONE\"]");
        assertThat(nodeA.get("running").getAsBoolean()).isTrue();
        assertThat(document.getAsJsonArray("rounds")
                        .get(1)
                        .getAsJsonObject()
                        .get("holder")
                        .isJsonNull())
                .isTrue();
    }

    @Test
    void theHistoryListsRunsTheNewestFirst() throws SQLException {
        Cli cli = Cli.on(withRows(PostgresVersion.NEWEST));
        List<String> lines = lines(cli.run("rounds", "uptime", "--history", "5"));
        assertThat(lines).hasSize(6);
        assertThat(lines.get(1)).matches("1\\ds ago uptime node-a \\S+Z 0.3s done yes");
        assertThat(lines.get(4))
                .matches("4\\ds ago uptime node-a \\S+Z 0.3s timed out no java.lang.Error: .\\[31mboom at x");
        assertThat(String.join("", lines)).doesNotContain("\u001b");
        JsonObject document = JsonParser.parseString(
                        cli.run("rounds", "--history=2", "--json").out())
                .getAsJsonObject();
        assertThat(document.getAsJsonArray("runs")).hasSize(2);
        assertThat(document.getAsJsonArray("runs")
                        .get(0)
                        .getAsJsonObject()
                        .get("took_seconds")
                        .getAsDouble())
                .isEqualTo(0.35);
        assertThat(cli.run("rounds", "none", "--history", "3").out()).isEqualTo("no run is recorded of none\n");
        assertThat(cli.run("rounds", "--history", "0").exitCode()).isEqualTo(2);
    }

    @Test
    void withoutAHistoryTheRestIsToldAndWhatIsMissing() throws SQLException {
        TestDatabase database = withRows(PostgresVersion.NEWEST);
        database.execute("drop table round_runs");
        Cli cli = Cli.on(database);
        assertThat(lines(cli.run("rounds")))
                .hasSize(7)
                .last()
                .isEqualTo("No outcomes of runs: there is no table round_runs, which rounds with a history write.");
        assertThat(JsonParser.parseString(cli.run("rounds", "--json").out())
                        .getAsJsonObject()
                        .get("history")
                        .getAsBoolean())
                .isFalse();
        Cli.Ran history = cli.run("rounds", "--history", "3");
        assertThat(history.exitCode()).isEqualTo(2);
        assertThat(history.err()).startsWith("leasehold: there is no table round_runs");
    }

    @Test
    void aRoundThatReallyRunsIsRunningAndThenCounted() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        assertThat(Cli.on(database).run("schema", "--apply").exitCode()).isZero();
        assertThat(Cli.on(database).run("rounds").out()).isEqualTo("no round has had a counted run here\n");
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        Round round = Round.named("sweep").every(Duration.ofDays(300)).work(context -> {
            begun.countDown();
            mayEnd.await();
        });
        try (var leases = Leases.on(database.dataSource()).build()) {
            Rounds rounds = Rounds.on(leases)
                    .node("node-a")
                    .history(leases.runHistory().build())
                    .add(round)
                    .start();
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(lines(Cli.on(database).run("rounds")).get(1)).startsWith("sweep running ");
            mayEnd.countDown();
            rounds.stop(Duration.ofSeconds(20));
        }
        assertThat(lines(Cli.on(database).run("rounds")).get(1))
                .matches("sweep idle \\S+Z \\S+ done \\S+ ago all done of 1");
    }
}
