package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can't be written is an error, whatever the command. */
class LostOutputTest {

    private static final Path FULL = Path.of("/dev/full");

    private static Cli.Ran runIntoFull(Cli cli, String... arguments) throws IOException {
        var err = new ByteArrayOutputStream();
        var surroundings = new Surroundings(
                cli.environment(), cli.home(), "alice", Terminal.none(), InputStream.nullInputStream());
        try (var full = new FileOutputStream(FULL.toFile())) {
            int exitCode = Execution.run(surroundings, new WatchedStream(full), err, arguments);
            return new Cli.Ran(exitCode, "", err.toString(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aFullDiskIsToldByEveryCommand() throws IOException, SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute(Cli.bare().run("schema").out());
        Cli cli = Cli.on(database);
        for (String command : List.of(
                "doctor",
                "leases",
                "rounds",
                "release x --yes --json",
                "pause x",
                "resume x",
                "run-now x --json",
                "budget --role web=1x1 --limit 5",
                "schema",
                "schema --check",
                "leases --watch=100ms",
                "help doctor",
                "--version",
                "generate-completion")) {
            Cli.Ran ran = runIntoFull(cli, command.split(" ", -1));
            assertThat(ran.exitCode()).as(command).isEqualTo(2);
            assertThat(ran.err().lines().reduce((one, next) -> next))
                    .as(command)
                    .hasValue("leasehold: what was to be written is lost: No space left on device");
        }
        assertThat(runIntoFull(cli, "exec", "--help").exitCode()).isEqualTo(125);
    }
}
