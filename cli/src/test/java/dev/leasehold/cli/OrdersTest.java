package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator orders: release, run-now, pause, resume. */
class OrdersTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Leases leases = Leases.on(database.dataSource()).build();
    private final Cli cli = Cli.on(database);

    @AfterEach
    void close() {
        leases.close();
    }

    private Lease acquire(String name) {
        return leases.tryAcquire(name).lease().orElseThrow();
    }

    private static JsonObject json(Cli.Ran ran) {
        return JsonParser.parseString(ran.out()).getAsJsonObject();
    }

    @Test
    void aHeldLeaseIsReleasedAndItsHolderAndFenceAreNamed() {
        Lease lease = acquire("sweep");
        Cli.Ran ran = cli.with("HOSTNAME", "ops-1").run("release", "sweep", "--yes");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .isEqualTo("released the lease sweep of " + lease.holder() + " (fence " + lease.fence()
                        + "), by leasehold release, by alice@ops-1\nThe holder is told at its next renewal, and works on"
                        + " until then; its fence fences nothing any more.\n");
        assertThat(leases.tryAcquire("sweep").lease()).isPresent();
    }

    @Test
    void aReleaseAsksFirstWhereSomebodyCanAnswer() {
        Lease lease = acquire("sweep");
        Cli.Ran no = cli.at(Cli.WIDE, "n\n").run("release", "sweep", "--color=never");
        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(no.out()).isEmpty();
        assertThat(no.err())
                .matches("(?s)The lease sweep is held for \\S+, expires in \\S+, fence " + lease.fence() + ", holder "
                        + lease.holder().replace("/", "\\/") + ", in localhost:\\d+, database .*, as postgres.\n.*"
                        + "Release it\\? \\[y/N] leasehold: the lease sweep is not released\n");
        assertThat(cli.at(Cli.WIDE, "").run("release", "sweep").exitCode()).isEqualTo(1);
        assertThat(leases.tryAcquire("sweep").lease()).isEmpty();
        assertThat(cli.at(Cli.WIDE, "Yes\n").run("release", "sweep").exitCode()).isZero();
        assertThat(leases.tryAcquire("sweep").lease()).isPresent();
    }

    @Test
    void anAnswerIsNotForTheNextHolder() {
        Lease first = acquire("sweep");
        var next = new ArrayList<Lease>();
        var typedLate = new FilterInputStream(new ByteArrayInputStream("y\n".getBytes(StandardCharsets.US_ASCII))) {
            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                if (next.isEmpty()) {
                    first.release();
                    next.add(acquire("sweep"));
                }
                return super.read(into, from, most);
            }
        };
        Cli.Ran ran = cli.at(Cli.WIDE, typedLate).run("release", "sweep");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).endsWith("it has just been released, or has changed hands\n");
        assertThat(leases.tryAcquire("sweep").lease()).isEmpty();
    }

    @Test
    void withoutATerminalNothingIsReleasedUnlessTold() {
        acquire("sweep");
        Cli.Ran ran = cli.run("release", "sweep");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo(
                        "leasehold: nobody can answer whether to release the lease sweep: --yes does it without asking\n");
        assertThat(leases.tryAcquire("sweep").lease()).isEmpty();
    }

    @Test
    void whatNobodyHoldsIsNotReleased() {
        acquire("sweep").release();
        assertThat(cli.run("release", "sweep"))
                .isEqualTo(new Cli.Ran(1, "", "leasehold: nobody holds the lease sweep\n"));
        assertThat(cli.run("release", "sweeep"))
                .isEqualTo(new Cli.Ran(1, "", "leasehold: there is no lease sweeep; did you mean sweep?\n"));
        Cli.Ran json = cli.run("release", "sweep", "--json");
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json(json).get("released").getAsBoolean()).isFalse();
        assertThat(json(json).keySet()).containsExactly("name", "released", "holder", "fence", "reason");
    }

    @Test
    void aLeaseWhoseHolderDiedIsReleasedTooAndJsonNamesIt() throws SQLException {
        Lease lease = acquire("sweep");
        database.execute("update leases set expires_at = now() - interval '1 second'");
        Cli.Ran ran = cli.run("release", "sweep", "--yes", "--reason", "it hangs", "--json");
        assertThat(ran.exitCode()).isZero();
        assertThat(json(ran).get("holder").getAsString()).isEqualTo(lease.holder());
        assertThat(json(ran).get("fence").getAsLong()).isEqualTo(lease.fence());
        assertThat(json(ran).get("reason").getAsString()).isEqualTo("it hangs");
    }

    @Test
    void aReasonThatIsNoneIsOneLine() {
        acquire("sweep");
        Cli.Ran ran = cli.run("release", "sweep", "--yes", "--reason", " ");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("leasehold: the reason of a forced release is")
                .hasLineCount(1);
    }

    @Test
    void slotsAreMadeDueOnAllNodesOfARound() throws SQLException {
        database.execute("""
                insert into leases (name, holder, expires_at, done_slot)
                values ('uptime@a', '-', 'epoch', now()), ('uptime@b', '-', 'epoch', now()), ('other', '-', 'epoch', now())
                """);
        Cli.Ran ran = cli.run("run-now", "uptime");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("made due: uptime@a, uptime@b. Instances see it ");
        assertThat(database.queryForLong("select count(*) from leases where done_slot = '-infinity'"))
                .isEqualTo(2);
        assertThat(json(cli.run("run-now", "other", "--json")).toString())
                .isEqualTo("{\"round\":\"other\",\"made_due\":[\"other\"]}");
    }

    @Test
    void whereNoSlotWasMadeDueTheReasonIsTold() {
        acquire("sweep");
        Cli.Ran held = cli.run("run-now", "sweep");
        assertThat(held)
                .isEqualTo(new Cli.Ran(
                        1,
                        "",
                        "leasehold: no slot of sweep was made due: it runs at this moment, and that run counts when it"
                                + " ends\n"));
        Cli.Ran unknown = cli.run("run-now", "swep", "--json");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(json(unknown).getAsJsonArray("made_due")).isEmpty();
        assertThat(unknown.err())
                .isEqualTo(
                        "leasehold: there is no round swep here, or it was never asked for yet; did you mean sweep?\n");
    }

    @Test
    void aPausedRoundIsPausedUntilItIsResumed() throws SQLException {
        database.execute(
                "insert into leases (name, holder, expires_at, done_slot) values ('sweep', '-', 'epoch', now())");
        Cli.Ran paused = cli.run("pause", "sweep", "--reason", "too\nloud");
        assertThat(paused).isEqualTo(new Cli.Ran(0, "paused sweep: too loud\n", ""));
        assertThat(cli.run("pause", "sweep", "--reason", "still").out())
                .isEqualTo("sweep was paused already; the reason is now: still\n");
        assertThat(database.queryForString("select pause_reason from leases")).isEqualTo("still");
        assertThat(cli.run("resume", "sweep").out()).startsWith("resumed sweep. ");
        assertThat(database.queryForString("select pause_reason from leases")).isNull();
        assertThat(cli.run("resume", "sweep"))
                .isEqualTo(new Cli.Ran(1, "", "leasehold: sweep is not paused; nothing is\n"));
        assertThat(json(cli.run("pause", "sweep", "--json")).get("paused").getAsBoolean())
                .isTrue();
        Cli.Ran resumed = cli.run("resume", "sweep", "--json");
        assertThat(resumed.exitCode()).isZero();
        assertThat(json(resumed).toString()).isEqualTo("{\"round\":\"sweep\",\"paused\":false,\"was_paused\":true}");
    }

    @Test
    void aPauseOfANameThatWasNeverSeenIsDoneAndTold() throws SQLException {
        database.execute(
                "insert into leases (name, holder, expires_at, done_slot) values ('sweep@a', '-', 'epoch', now())");
        Cli.Ran ran = cli.with("HOSTNAME", "ops-1").run("pause", "swep", "--json");
        assertThat(ran.exitCode()).isZero();
        assertThat(json(ran).toString())
                .isEqualTo("{\"round\":\"swep\",\"paused\":true,\"was_paused\":false,"
                        + "\"reason\":\"by leasehold pause, by alice@ops-1\",\"known\":false}");
        assertThat(ran.err())
                .isEqualTo(
                        "leasehold: no round swep has been here yet: it is paused from its first start on; did you mean"
                                + " sweep?\n");
        assertThat(cli.run("pause", "sweep").err()).isEmpty();
        assertThat(cli.run("resume", "other").err())
                .isEqualTo("leasehold: other is not paused; paused are: sweep, swep\n");
    }
}
