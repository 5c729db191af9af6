package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code exec} runs, what it passes on, and what it ends with. */
class ExecTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    /** Says that it runs, and ends when it is let go. */
    private static final String HELD = "echo running > running; while [ ! -e go ]; do sleep 0.05; done";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private ExecProcess exec(String... arguments) throws Exception {
        return ExecProcess.start(folder, DATABASE, arguments);
    }

    private String held() {
        return "cd '" + folder + "'; " + HELD;
    }

    private static JsonObject lastLine(ExecProcess exec) throws Exception {
        List<String> lines = exec.err().lines().toList();
        return JsonParser.parseString(lines.get(lines.size() - 1)).getAsJsonObject();
    }

    @ParameterizedTest
    @EnumSource(PostgresVersion.class)
    void theFirstRunOnAnEmptyDatabaseMakesTheTableAndTheFenceGrowsWithEachRun(PostgresVersion version)
            throws Exception {
        TestDatabase database = TestPostgres.freshDatabase(version);
        String[] command = {
            "backup", "--", "sh", "-c", "echo $LEASEHOLD_FENCE $LEASEHOLD_LEASE $LEASEHOLD_HOLDER:$LEASEHOLD_SLOT"
        };
        long fence = 0;
        for (int run = 0; run < 2; run++) {
            try (var exec = ExecProcess.start(folder, database, command)) {
                assertThat(exec.exitCode()).isZero();
                assertThat(exec.err()).isEmpty();
                String[] said = exec.out().strip().split(" ", -1);
                assertThat(said[1]).isEqualTo("backup");
                assertThat(said[2]).contains(":" + exec.pid() + ":").endsWith(":");
                assertThat(Long.parseLong(said[0])).isGreaterThan(fence);
                fence = Long.parseLong(said[0]);
            }
        }
        assertThat(database.queryForLong("select fence from leases where name = 'backup' and expires_at = 'epoch'"))
                .isEqualTo(fence);
    }

    @Test
    void oneRunsAndTheOtherEndsWithout() throws Exception {
        try (var one = exec("shared", "--", "sh", "-c", held())) {
            assertThat(Await.line(folder.resolve("running"))).isEqualTo("running");
            try (var other = exec("shared", "--", "sh", "-c", "echo other");
                    var told = exec("shared", "--busy-exit", "0", "--json", "--", "sh", "-c", "echo told");
                    var patient = exec("shared", "-v", "--wait", "1m", "--", "sh", "-c", "echo patient")) {
                assertThat(other.exitCode()).isEqualTo(75);
                assertThat(other.out() + other.err()).isEmpty();
                assertThat(told.exitCode()).isZero();
                assertThat(told.out()).isEmpty();
                JsonObject report = lastLine(told);
                assertThat(report.get("outcome").getAsString()).isEqualTo("busy");
                assertThat(report.get("exit_code").getAsInt()).isZero();
                assertThat(report.get("holder").getAsString()).contains(":" + one.pid() + ":");
                assertThat(report.get("time_left_seconds").getAsDouble()).isBetween(60.0, 120.0);
                Await.until("it waits", () -> patient.err().contains("waits for lease shared"));
                Files.createFile(folder.resolve("go"));
                assertThat(one.exitCode()).isZero();
                assertThat(patient.exitCode()).isZero();
                assertThat(patient.out()).isEqualTo("patient\n");
            }
        }
    }

    @Test
    void theExitCodeOfTheCommandIsPassedOn() throws Exception {
        try (var failed = exec("codes-1", "--json", "--", "sh", "-c", "echo out; echo err >&2; exit 3");
                var killed = exec("codes-2", "--", "sh", "-c", "kill -KILL $$")) {
            assertThat(failed.exitCode()).isEqualTo(3);
            assertThat(failed.out()).isEqualTo("out\n");
            assertThat(failed.err()).startsWith("err\n");
            JsonObject report = lastLine(failed);
            assertThat(report.get("outcome").getAsString()).isEqualTo("ran");
            assertThat(report.get("exit_code").getAsInt()).isEqualTo(3);
            assertThat(report.get("released").getAsBoolean()).isTrue();
            assertThat(killed.exitCode()).isEqualTo(128 + 9);
        }
    }

    @Test
    void argumentsArePassedOnAsTheyAre() throws Exception {
        Path file = Files.writeString(folder.resolve("expanded"), "expanded");
        try (var exec = exec(
                "arguments", "--", "printf", "<%s>", "", "--", "-x", "--json", "@" + file, "a  b", "'\"$HOME\"'")) {
            assertThat(exec.exitCode()).isZero();
            assertThat(exec.out()).isEqualTo("<><--><-x><--json><@" + file + "><a  b><'\"$HOME\"'>");
        }
    }

    @Test
    void whatTheLocaleCannotPassOnIsRefused() throws Exception {
        // The last argument is made by a shell: this JVM may have such a locale itself.
        var command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" \"$(printf 'caf\\303\\251')\"", "sh"));
        command.addAll(
                ExecProcess.builder(DATABASE.jdbcUrl(), "locale", "--", "echo").command());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process exec = builder.start();
        try (var said = exec.inputReader()) {
            assertThat(said.readLine()).contains("can't be passed on: set LC_ALL=C.UTF-8");
        }
        assertThat(exec.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
        assertThat(exec.exitValue()).isEqualTo(125);
    }

    @Test
    void aCommandThatCannotBeRunHoldsNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "echo never");
        try (var missing = exec("unknown-1", "--", "there-is-no-such-command");
                var notExecutable = exec("unknown-2", "--", file.toString());
                var aFolder = exec("unknown-3", "--", folder.toString())) {
            assertThat(missing.exitCode()).isEqualTo(127);
            assertThat(missing.err()).isEqualTo("leasehold: there-is-no-such-command was not found\n");
            assertThat(notExecutable.exitCode()).isEqualTo(126);
            assertThat(aFolder.exitCode()).isEqualTo(126);
        }
        // It looks executable, and only the attempt shows that it is not.
        Path broken = Files.writeString(folder.resolve("broken"), "#!/no/such/interpreter\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();
        try (var exec = exec("unknown-4", "--", broken.toString());
                var slot = exec("unknown-5", "--every", "1d", "--on-loss", "terminate", "--", broken.toString())) {
            assertThat(exec.exitCode()).isEqualTo(126);
            assertThat(slot.exitCode()).isEqualTo(126);
        }
        assertThat(DATABASE.queryForLong("""
                        select count(*) from leases
                        where name like 'unknown-%' and (expires_at <> 'epoch' or done_slot is not null)""")).isZero();
    }

    @Test
    void whatItCannotDoItselfIsToldFromTheCommandsFailure() throws Exception {
        try (var away = ExecProcess.start(
                        folder, "jdbc:postgresql://localhost:1/nowhere?user=postgres", "away", "--", "true");
                var unknown = exec("wrong", "--no-such-option", "--", "true");
                var tooShort = exec("wrong", "--ttl", "100ms", "--json", "--", "true");
                var both = exec("wrong", "--every", "1h", "--wait", "1s", "--", "true");
                var nameless = exec("--verbose", "--", "echo", "true")) {
            assertThat(away.exitCode()).isEqualTo(125);
            assertThat(away.err()).startsWith("leasehold: ").contains("refused").hasLineCount(1);
            assertThat(unknown.exitCode()).isEqualTo(125);
            assertThat(unknown.err()).contains("--no-such-option");
            assertThat(tooShort.exitCode()).isEqualTo(125);
            assertThat(lastLine(tooShort).get("line").getAsString())
                    .isEqualTo("ttl is PT0.1S, but must be 500 ms to 1 day");
            assertThat(tooShort.out()).isEmpty();
            assertThat(both.exitCode()).isEqualTo(125);
            assertThat(both.err()).contains("--wait does not go with --every");
            assertThat(nameless.exitCode()).isEqualTo(125);
            assertThat(nameless.err()).contains("the name of the lease is missing before --");
        }
    }
}
