package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.doctor.Column;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.FindingKind;
import dev.leasehold.doctor.Remedy;
import dev.leasehold.doctor.Server;
import dev.leasehold.doctor.Severity;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers of its own: the doctor looks at all databases of one. */
class DoctorCommandTest {

    @ParameterizedTest
    @EnumSource
    void aHealthyServerIsWellAndLocksOfAnIdleConnectionAreAProblemWithTheirName(PostgresVersion version)
            throws Exception {
        try (TestServer server = TestServer.start(version, Map.of("max_connections", "20"))) {
            TestDatabase database = server.freshDatabase();
            Cli cli = Cli.on(database);
            Cli.Ran well = cli.run("doctor");
            assertThat(well.exitCode()).isZero();
            assertThat(well.err()).isEmpty();
            assertThat(well.out())
                    .matches("(?s)PostgreSQL \\d+\\.\\d+, database " + database.name()
                            + ", looked at as postgres: nothing that is a problem or a risk\n.*");

            try (Connection connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("select pg_advisory_lock(hashtextextended('nightly sweep', 0))");
                Cli.Ran ran = cli.run("doctor", "--name", "other", "--name", "nightly sweep");
                assertThat(ran.exitCode()).isEqualTo(1);
                List<String> lines = ran.out().lines().toList();
                assertThat(lines.get(0)).endsWith(": 2 risks");
                assertThat(lines.get(2))
                        .startsWith("RISK  1 of 1 connection of this client is idle and holds advisory locks");
                assertThat(ran.out())
                        .contains(
                                "nightly sweep",
                                "\n  means:    ",
                                "\n  now:      ",
                                "\nselect pg_terminate_backend(",
                                "\n  for good: ");
                JsonObject document = JsonParser.parseString(
                                cli.run("doctor", "--json").out())
                        .getAsJsonObject();
                assertThat(document.keySet()).containsExactly("server", "looked_at", "well", "findings");
                assertThat(document.get("well").getAsBoolean()).isFalse();
                assertThat(document.getAsJsonArray("findings")
                                .get(0)
                                .getAsJsonObject()
                                .get("kind")
                                .getAsString())
                        .isEqualTo("locks-on-idle-connections");
            }
            atAServerThatIsFullReservedConnectionsAreToldOf(database);
        }
    }

    private static void atAServerThatIsFullReservedConnectionsAreToldOf(TestDatabase database) throws Exception {
        database.execute("create role ops login");
        Cli ordinary = Cli.on(database).with("PGUSER", "ops");
        List<Connection> all = new ArrayList<>();
        List<Cli.Ran> runs = new ArrayList<>();
        try {
            // a session lives for a moment after its client has closed it, and its place is free then
            Await.until("the server is full", () -> {
                try {
                    all.add(database.dataSourceAs("ops", "").getConnection());
                    return false;
                } catch (SQLException e) {
                    runs.add(ordinary.run("doctor", "--json"));
                    return runs.get(runs.size() - 1).exitCode() == 2;
                }
            });
            Cli.Ran ran = runs.get(runs.size() - 1);
            assertThat(ran.err())
                    .hasLineCount(1)
                    .contains("superuser_reserved_connections", "keep some for those who look and repair")
                    .contains("look again as a superuser, or as a role with pg_use_reserved_connections");
            JsonObject error = JsonParser.parseString(ran.out()).getAsJsonObject();
            assertThat(error.get("code").getAsString()).isEqualTo("no-connection-left");
            assertThat(Cli.on(database).run("doctor").out()).contains("no connection is left for ordinary roles: ");
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOrdinaryRoleIsToldWhatIsHiddenAndHowToSeeIt(PostgresVersion version) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        String role = "ops_of_" + database.name();
        database.execute("create role " + role + " login");
        database.execute("create table leases (name text, holder text, taken_at timestamptz, expires_at timestamptz)");
        try (Connection other = database.connect()) {
            assertThat(other.isValid(30)).isTrue();
            assertThat(Cli.on(database).with("PGUSER", role).run("doctor").out())
                    .contains(
                            "are hidden from role " + role + "\n",
                            "pg_monitor shows",
                            "\ngrant pg_monitor to \"" + role + "\";\n",
                            "\ngrant select on public.leases to \"" + role + "\";\n");
        }
    }

    @Test
    void aTableThatWasNamedAndIsNotThereIsToldAndTheDefaultIsNot() {
        Cli cli = Cli.on(TestPostgres.freshDatabase());
        assertThat(cli.run("doctor", "--table", "leases").out()).contains("NOTE  there is no table \"leases\"");
        assertThat(cli.run("doctor").out()).doesNotContain("there is no table");
    }

    @Test
    void wrongOptionsAreOneLine() {
        Cli nowhere = Cli.bare();
        for (List<String> wrong : List.of(
                List.of("doctor", "--budget", "many"),
                List.of("doctor", "--budget", "0"),
                List.of("doctor", "--long-transaction", "soon"),
                List.of("doctor", "--table", "a.b.c"),
                List.of("doctor", "--name"))) {
            Cli.Ran ran = nowhere.run(wrong.toArray(String[]::new));
            assertThat(ran.exitCode()).as("%s", wrong).isEqualTo(2);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).startsWith("leasehold: ").hasLineCount(1);
        }
    }

    private static final String LONG_SQL =
            "select pg_terminate_backend(pid) from unnest(array[" + "1, ".repeat(60) + "1]) as pid;";

    private static final Diagnosis BAD = new Diagnosis(
            new Server("18.4", 18, "app", "ops"),
            Instant.parse("2026-11-30T03:00:00Z"),
            List.of(
                    new Finding(
                            FindingKind.CONNECTIONS,
                            Severity.INFORMATION,
                            "5 of 97 connections are in use",
                            Evidence.none(),
                            "There is room.",
                            Remedy.none()),
                    new Finding(
                            FindingKind.HIDDEN,
                            Severity.INFORMATION,
                            "much is hidden",
                            Evidence.none(),
                            "Not all was seen.",
                            new Remedy("Let this role see it.", "", List.of("grant pg_monitor to ops;"))),
                    new Finding(
                            FindingKind.BLOCKED_SESSIONS,
                            Severity.RISK,
                            "1 session waits",
                            new Evidence(
                                    List.of(
                                            new Column("session", Column.Kind.TEXT),
                                            new Column("pid", Column.Kind.NUMBER),
                                            new Column("waits_for", Column.Kind.DURATION),
                                            new Column("locks", Column.Kind.LIST),
                                            new Column("query", Column.Kind.TEXT)),
                                    List.of(
                                            List.of("root", 1, "", List.of(), ""),
                                            List.of(
                                                    "  leaf",
                                                    2,
                                                    Duration.ofMillis(80_500),
                                                    List.of("bigint 7", "(1, 2)"),
                                                    "a\u001b[31m\nb")),
                                    3),
                            "It waits.",
                            new Remedy("Cut it off.", "Lock less.", List.of(LONG_SQL, "select 2;")))));

    private static String printed(Output.Form form, boolean isColored) {
        return printed(BAD, form, isColored, Terminal.none());
    }

    private static String printed(Diagnosis diagnosis, Output.Form form, boolean isColored, Terminal terminal) {
        var text = new StringWriter();
        var writer = new PrintWriter(text);
        var output = new Output(writer, writer, form, new Paint(isColored), terminal);
        if (form == Output.Form.TEXT) {
            new DiagnosisText(output).print(diagnosis);
        } else {
            output.document(DiagnosisJson.of(diagnosis));
        }
        return text.toString();
    }

    @Test
    void theVerdictComesFirstThenTheWorstAndNotesSayWhatToDoIfThereIsSomething() {
        assertThat(printed(Output.Form.TEXT, false)).isEqualTo("""
                PostgreSQL 18.4, database app, looked at as ops: 1 risk

                RISK  1 session waits
                  session  pid  waits for   locks             query
                  root     1
                    leaf   2    1 min 20 s  bigint 7; (1, 2)  a [31m b
                  ... and 3 more
                  means:    It waits.
                  now:      Cut it off.
                %s
                select 2;
                  for good: Lock less.

                NOTE  5 of 97 connections are in use
                  There is room.

                NOTE  much is hidden
                  means:    Not all was seen.
                  now:      Let this role see it.
                grant pg_monitor to ops;
                """.formatted(LONG_SQL));
        assertThat(printed(Output.Form.TEXT, true))
                .contains("\u001b[1;33mRISK\u001b[0m  \u001b[1m1 session waits\u001b[0m")
                .contains("\n\u001b[36mselect 2;\u001b[0m\n");
    }

    @Test
    void onANarrowTerminalAllButSqlIsBroken() {
        var diagnosis = new Diagnosis(
                BAD.server(),
                BAD.lookedAt(),
                List.of(new Finding(
                        FindingKind.BLOCKED_SESSIONS,
                        Severity.PROBLEM,
                        "a title of many words ".repeat(5).strip(),
                        Evidence.none(),
                        "It means a lot. ".repeat(9).strip(),
                        new Remedy(
                                "Do this. ".repeat(9).strip(),
                                "And that. ".repeat(9).strip(),
                                List.of(LONG_SQL)))));
        var narrow = new Terminal(false, true, false, new TerminalSize(24, 40));
        List<String> lines = printed(diagnosis, Output.Form.TEXT, false, narrow)
                .lines()
                .skip(1)
                .toList();
        assertThat(lines).contains(LONG_SQL);
        assertThat(lines).filteredOn(line -> !line.equals(LONG_SQL)).allMatch(line -> line.length() <= 40);
    }

    @Test
    void jsonHasTheEvidenceAsObjects() {
        JsonObject finding = JsonParser.parseString(printed(Output.Form.DOCUMENT, false))
                .getAsJsonObject()
                .getAsJsonArray("findings")
                .get(0)
                .getAsJsonObject();
        assertThat(finding.toString())
                .isEqualTo("{\"kind\":\"blocked-sessions\",\"severity\":\"risk\",\"title\":\"1 session waits\","
                        + "\"evidence\":["
                        + "{\"session\":\"root\",\"pid\":1,\"waits_for_seconds\":null,\"locks\":[],\"query\":null},"
                        + "{\"session\":\"  leaf\",\"pid\":2,\"waits_for_seconds\":80.5,\"locks\":[\"bigint 7\",\"(1, 2)\"],"
                        + "\"query\":\"a\\u001b[31m\\nb\"}],\"rows_left_out\":3,"
                        + "\"meaning\":\"It waits.\",\"now\":\"Cut it off.\",\"for_good\":\"Lock less.\","
                        + "\"sql\":[\"" + LONG_SQL + "\",\"select 2;\"]}");
    }
}
