package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeasesCommandTest {

    private static final String ROWS = """
            insert into leases (name, holder, taken_at, expires_at, deaths)
            values ('sweep', 'host-1/4711/ab', now() - interval '190 seconds', now() + interval '90 seconds', 0),
                   ('mail', 'host-2/77/ff', now() - interval '3 hours', now() - interval '1 hour', 2),
                   ('gone', 'host-3/1/0', now(), 'epoch', 0),
                   ('forever', 'host-4/1/0', now(), 'infinity', 0),
                   ('rest', '-', now(), now() + interval '10 minutes', 0),
                   ('rested', '-', now(), now() - interval '10 minutes', 0)
            """;

    private static TestDatabase withRows(PostgresVersion version) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        Leases.on(database.dataSource()).build().close();
        database.execute(ROWS);
        return database;
    }

    @ParameterizedTest
    @EnumSource
    void eachStateIsTold(PostgresVersion version) throws SQLException {
        Cli.Ran ran = Cli.on(withRows(version)).run("leases");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        List<String> lines =
                ran.out().lines().map(line -> line.replaceAll(" {2,}", " ")).toList();
        assertThat(lines.get(0)).isEqualTo("NAME STATE HELD FOR EXPIRES DEATHS FENCE HOLDER");
        assertThat(lines.get(1)).matches("forever held \\S+ never \\d+ host-4/1/0");
        assertThat(lines.get(2)).matches("gone released \\d+");
        assertThat(lines.get(3)).matches("mail expired 1h ago 2 \\d+ host-2/77/ff");
        assertThat(lines.get(4)).matches("rest resting free in 9m\\d+s \\d+");
        assertThat(lines.get(5)).matches("rested released \\d+");
        assertThat(lines.get(6)).matches("sweep held 3m1\\d+s in (1m\\d+s|\\d+s) \\d+ host-1/4711/ab");
    }

    @Test
    void jsonHasTheSameFieldsForEachState() throws SQLException {
        Cli.Ran ran = Cli.on(withRows(PostgresVersion.NEWEST)).run("leases", "--json");
        JsonObject document = JsonParser.parseString(ran.out()).getAsJsonObject();
        assertThat(document.keySet()).containsExactly("now", "leases");
        assertThat(Instant.parse(document.get("now").getAsString())).isAfter(Instant.EPOCH);
        JsonArray leases = document.getAsJsonArray("leases");
        assertThat(leases).hasSize(6);
        for (var lease : leases) {
            assertThat(lease.getAsJsonObject().keySet())
                    .containsExactly(
                            "name",
                            "state",
                            "holder",
                            "taken_at",
                            "held_for_seconds",
                            "expires_at",
                            "expires_in_seconds",
                            "fence",
                            "deaths",
                            "done_slot",
                            "pause_reason");
        }
        JsonObject sweep = leases.get(5).getAsJsonObject();
        assertThat(sweep.get("state").getAsString()).isEqualTo("held");
        assertThat(sweep.get("held_for_seconds").getAsDouble()).isBetween(190.0, 280.0);
        assertThat(sweep.get("expires_in_seconds").getAsDouble()).isBetween(0.0, 90.0);
        JsonObject forever = leases.get(0).getAsJsonObject();
        assertThat(forever.get("expires_at").isJsonNull()).isTrue();
        assertThat(forever.get("expires_in_seconds").isJsonNull()).isTrue();
        assertThat(leases.get(1).getAsJsonObject().get("holder").isJsonNull()).isTrue();
    }

    @Test
    void onlyTheHeldOnesAreShownIfAskedFor() throws SQLException {
        TestDatabase database = withRows(PostgresVersion.NEWEST);
        assertThat(Cli.on(database).run("leases", "--held").out().lines().skip(1))
                .hasSize(2)
                .allMatch(line -> line.contains(" held "));
        database.execute("update leases set expires_at = 'epoch'");
        assertThat(Cli.on(database).run("leases", "--held").out()).isEqualTo("none is held\n");
        database.execute("delete from leases");
        assertThat(Cli.on(database).run("leases").out()).isEqualTo("the lease table leases is empty\n");
    }

    @Test
    void textOfOthersCannotSteerTheTerminal() throws SQLException {
        TestDatabase database = withRows(PostgresVersion.NEWEST);
        database.execute(
                "update leases set name = E'a\\x1b[2Jb\\nfake  held', holder = E'h\\u009b\\u202e' where name = 'sweep'");
        Cli.Ran text = Cli.on(database).run("leases");
        assertThat(text.out()).contains("a\uFFFD[2Jb fake  held").doesNotContain("\u001b", "\u009b", "\u202e");
        assertThat(text.out().lines()).hasSize(7);
        assertThat(Cli.on(database).run("leases", "--json").out())
                .contains("\"a\\u001b[2Jb\\nfake  held\"", "\"h\\u009b\\u202e\"")
                .doesNotContain("\u001b", "\u009b", "\u202e");
    }

    @Test
    void aTerminalHasColoursAndItsWidthAndAPipeHasNeither() throws SQLException {
        Cli cli = Cli.on(withRows(PostgresVersion.NEWEST));
        Cli atTerminal = cli.at(new Terminal(true, true, false, new TerminalSize(24, 60)), "");
        assertThat(atTerminal.run("leases").out()).contains("\u001b[32mheld\u001b[0m");
        assertThat(atTerminal.run("leases", "--color=never").out().lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).matches("NAME +STATE +HELD FOR +EXPIRES +HOLDER"));
        assertThat(atTerminal.run("leases", "--color=never").out().lines())
                .allMatch(line -> line.length() <= 60 && !line.contains("\u001b"));
        assertThat(atTerminal.with("NO_COLOR", "1").run("leases").out()).doesNotContain("\u001b");
        assertThat(atTerminal.run("leases", "--json").out()).doesNotContain("\u001b");
        assertThat(cli.run("leases").out()).matches("(?s)NAME.* FENCE .*").doesNotContain("\u001b", "...");
        assertThat(cli.run("leases", "--color", "always").out()).contains("\u001b[32mheld\u001b[0m");
    }

    @Test
    void aMissingTableIsOneLineThatSaysWhatToDo() {
        Cli cli = Cli.on(TestPostgres.freshDatabase());
        assertThat(cli.run("leases"))
                .isEqualTo(new Cli.Ran(
                        2,
                        "",
                        "leasehold: this database has no lease table leases: --table names another (table or schema.table);"
                                + " leasehold doctor needs none (for an application that is to keep leases here: leasehold"
                                + " help schema)\n"));
        Cli.Ran json = cli.run("leases", "--table", "jobs.leases", "--json");
        assertThat(json.exitCode()).isEqualTo(2);
        assertThat(JsonParser.parseString(json.out())
                        .getAsJsonObject()
                        .get("error")
                        .getAsString())
                .startsWith("this database has no lease table jobs.leases: ")
                .doesNotContain("--apply");
        assertThat(json.out()).contains("\"code\": \"no-table\"");
        assertThat(json.err()).startsWith("leasehold: this database has no lease table jobs.leases");
    }

    @Test
    void anOlderTableIsOneLineThatSaysWhatToDo() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute(
                "create table leases (name text primary key, holder text, taken_at timestamptz, expires_at timestamptz)");
        Cli.Ran ran = Cli.on(database).run("leases");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo(
                        "leasehold: the table leases lacks columns of a lease table of this version: leasehold schema --check"
                                + " says which; if it is another's table of the same name, --table names the right one\n");
    }

    @Test
    void aTableThatMustNotBeReadAndOneWithAnImpossibleNameAreOneLine() throws SQLException {
        TestDatabase database = withRows(PostgresVersion.NEWEST);
        String role = "reader_of_" + database.name();
        database.execute("create role " + role + " login");
        Cli.Ran ran = Cli.on(database).with("PGUSER", role).run("leases");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("permission denied for table leases").hasLineCount(1);
        Cli.Ran wrong = Cli.on(database).run("leases", "--table", "a.b.c");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).isEqualTo("leasehold: table is \"a.b.c\", but must be table or schema.table\n");
    }
}
