package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.LeaseSchema;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchemaCommandTest {

    private static JsonObject json(Cli.Ran ran) {
        return JsonParser.parseString(ran.out()).getAsJsonObject();
    }

    @Test
    void theDdlIsPrintedWithoutADatabase() {
        Cli nowhere = Cli.bare().with("DATABASE_URL", "nonsense");
        assertThat(nowhere.run("schema"))
                .isEqualTo(new Cli.Ran(0, LeaseSchema.of("leases").ddl(), ""));
        assertThat(nowhere.run("schema", "--table", "jobs.Leases", "--leases-only")
                        .out())
                .contains("create table if not exists \"jobs\".\"Leases\" (")
                .doesNotContain("round_runs");
        assertThat(json(nowhere.run("schema", "--json")).get("ddl").getAsString())
                .isEqualTo(LeaseSchema.of("leases").ddl());
    }

    @Test
    void atATerminalItIsHarmlessAndElsewhereExact() {
        String name = "a\u001b[2Jb";
        String exact = LeaseSchema.of(name).ddl();
        assertThat(Cli.bare().run("schema", "--table", name).out()).isEqualTo(exact);
        assertThat(Cli.bare().at(Cli.WIDE, "").run("schema", "--table", name).out())
                .isEqualTo(exact.replace('\u001b', '\uFFFD'));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPrintedIsWhatIsChecked(PostgresVersion version) throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase(version);
        database.execute(Cli.bare().run("schema").out());
        assertThat(Cli.on(database).run("schema", "--check")).isEqualTo(new Cli.Ran(0, "nothing is missing\n", ""));
    }

    @Test
    void aCheckSaysWhatIsMissingAndAnApplyDoesIt() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute(
                "create table leases (name text primary key, holder text, taken_at timestamptz, expires_at timestamptz)");
        Cli cli = Cli.on(database);
        Cli.Ran missing = cli.run("schema", "--check");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.out())
                .startsWith("-- missing; leasehold schema --apply runs it:\nalter table \"leases\" add column")
                .contains("create table \"round_runs\"");
        assertThat(database.queryForString("select to_regclass('round_runs')")).isNull();
        Cli.Ran json = cli.run("schema", "--check", "--json", "--leases-only");
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json(json).get("complete").getAsBoolean()).isFalse();
        assertThat(json(json).get("missing").getAsString()).doesNotContain("round_runs");

        Cli.Ran applied = cli.run("schema", "--apply");
        assertThat(applied.exitCode()).isZero();
        assertThat(applied.out()).startsWith("-- done:\nalter table \"leases\" add column");
        assertThat(cli.run("schema", "--apply").out()).isEqualTo("nothing was missing\n");
        assertThat(json(cli.run("schema", "--apply", "--json")).get("applied").isJsonNull())
                .isTrue();
        assertThat(cli.run("schema", "--check").exitCode()).isZero();
    }

    @Test
    void checkAndApplyExcludeEachOtherAndATableOfAnotherKindIsOneLine() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create table leases (id int)");
        Cli cli = Cli.on(database);
        assertThat(cli.run("schema", "--check", "--apply").exitCode()).isEqualTo(2);
        Cli.Ran ran = cli.run("schema", "--apply");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("exists but is not a lease table").hasLineCount(1);
    }
}
