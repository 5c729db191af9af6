package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code --watch}: each test reads what is printed until it has seen what it waits for. */
@Timeout(60)
class WatchTest {

    private static final int LARGE = 1_000_000;

    private final TestDatabase database = TestPostgres.freshDatabase();

    @BeforeEach
    void createTable() throws SQLException {
        database.execute(Cli.bare().run("schema").out());
    }

    private void insert(String name) throws SQLException {
        database.execute("insert into leases (name, holder, expires_at) values ('" + name
                + "', 'h', now() + interval '1 hour')");
    }

    /** A command that prints until it is closed. */
    private static final class Watch implements AutoCloseable {

        private final PipedWriter writer = new PipedWriter();
        private final BufferedReader reader;
        private final StringWriter err = new StringWriter();
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<Integer> exitCode;

        Watch(Cli cli, String... arguments) throws IOException {
            reader = new BufferedReader(new PipedReader(writer, LARGE));
            var commandLine = cli.commandLine(new PrintWriter(writer, true), new PrintWriter(err));
            exitCode = thread.submit(() -> commandLine.execute(arguments));
        }

        /** All that came up to the first line with that in it. */
        String readUntil(String wanted) throws IOException {
            var read = new StringBuilder();
            while (read.indexOf(wanted) < 0) {
                int sign = reader.read();
                assertThat(sign).as("the end after: %s %s", read, err).isNotNegative();
                read.append((char) sign);
            }
            return read.toString();
        }

        /** What came after the interrupt. */
        String interrupted() throws Exception {
            thread.shutdownNow();
            assertThat(exitCode.get(30, TimeUnit.SECONDS)).isZero();
            writer.close();
            var rest = new StringBuilder();
            for (int sign = reader.read(); sign >= 0; sign = reader.read()) {
                rest.append((char) sign);
            }
            return rest.toString();
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    @Test
    void aTerminalIsOverwrittenInPlaceAndRestored() throws Exception {
        insert("one");
        Cli atTerminal = Cli.on(database).at(Cli.WIDE, "").with("LINES", "6").with("COLUMNS", "70");
        try (var watch = new Watch(atTerminal, "leases", "--watch=100ms")) {
            assertThat(watch.readUntil("one ")).startsWith("\u001b[?1049h\u001b[?25l\u001b[H");
            for (String name : "two three four five six seven eight nine".split(" ", -1)) {
                insert(name);
            }
            assertThat(watch.readUntil("four ")).contains("\u001b[K\r\n", "\u001b[J", "\u001b[H");
            watch.readUntil("\u001b[H");
            String page = watch.readUntil("\u001b[J");
            assertThat(page.split("\r\n", -1))
                    .as("five lines and what clears the rest")
                    .hasSize(6);
            String rest = watch.interrupted();
            assertThat(rest).endsWith("\u001b[?25h\u001b[?1049l");
        }
    }

    @Test
    void aPipeGetsOneTableAfterTheOther() throws Exception {
        insert("one");
        try (var watch = new Watch(Cli.on(database), "leases", "--watch", "100ms")) {
            assertThat(watch.readUntil("one ")).startsWith("NAME ");
            assertThat(watch.readUntil("NAME ")).contains("\n\n").doesNotContain("\u001b");
        }
    }

    @Test
    void programsGetADocumentALine() throws Exception {
        insert("one");
        try (var watch = new Watch(Cli.on(database), "rounds", "--watch=100ms", "--json")) {
            for (int i = 0; i < 3; i++) {
                String line = watch.readUntil("\n");
                assertThat(JsonParser.parseString(line).getAsJsonObject().keySet())
                        .containsExactly("now", "history", "rounds");
            }
        }
    }

    @Test
    void aDatabaseThatGoesAwayIsToldAndLookedAtAgain() throws Exception {
        insert("one");
        Cli atTerminal = Cli.on(database).at(Cli.WIDE, "");
        try (var watch = new Watch(atTerminal, "leases", "--watch=100ms")) {
            watch.readUntil("one ");
            database.execute("alter table leases rename to away");
            watch.readUntil("this database has no lease table leases");
            database.execute("alter table away rename to leases");
            watch.readUntil("one ");
        }
    }

    @Test
    void aFirstLookThatFailsEndsItBeforeTheScreenIsTouched() throws Exception {
        database.execute("drop table leases");
        Cli.Ran ran = Cli.on(database).at(Cli.WIDE, "").run("leases", "--watch");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }
}
