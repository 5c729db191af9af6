package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Grid;
import dev.leasehold.Leases;
import dev.leasehold.testkit.PostgresVersion;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the rows of a lease table tell. */
class LeasesToldTest {

    private static final Map<PostgresVersion, TestDatabase> DATABASES = new ConcurrentHashMap<>();

    private TestDatabase database = DATABASES.computeIfAbsent(PostgresVersion.NEWEST, LeasesToldTest::withTable);

    private void begin(PostgresVersion version) throws SQLException {
        database = DATABASES.computeIfAbsent(version, LeasesToldTest::withTable);
        database.execute("truncate leases");
    }

    private static TestDatabase withTable(PostgresVersion version) {
        TestDatabase database = TestPostgres.freshDatabase(version);
        Leases.on(database.dataSource()).build().close();
        return database;
    }

    private Diagnosis look() {
        return Doctor.on(database.dataSource()).look();
    }

    /** A row as its holder, or the end of that, has left it. */
    private void row(String name, String taken, String expires, String more) throws SQLException {
        database.execute(
                "insert into leases (name, holder, taken_at, expires_at%s) values ('%s', 'node-a/1/ab', %s, %s%s)"
                        .formatted(
                                more.isEmpty() ? "" : ", done_slot",
                                name,
                                taken,
                                expires,
                                more.isEmpty() ? "" : ", " + more));
    }

    @ParameterizedTest
    @CsvSource({
        "OLDEST, 3 h, INFORMATION, 1 lease ran out without a release",
        "NEWEST, 24 h, INFORMATION, 1 lease ran out without a release",
        "OLDEST, 26 h, RISK, '1 lease ran out more than 25 h ago without a release, and nobody has taken over'",
        "NEWEST, 29 d, RISK, '1 lease ran out more than 25 h ago without a release, and nobody has taken over'",
        "NEWEST, 31 d, INFORMATION, 1 lease ran out more than 30 d ago"
    })
    void aDeadHoldersLeaseIsARiskOnceADaysJobShouldHaveTakenItOver(
            PostgresVersion version, String ago, Severity severity, String title) throws SQLException {
        begin(version);
        row("sweep", "now() - interval '40 d'", "now() - interval '" + ago + "'", "");
        Finding told = Told.the(FindingKind.LEASES, "ran out", look());
        assertThat(told.title()).isEqualTo(title);
        assertThat(told.severity()).isEqualTo(severity);
        assertThat(told.evidence().columns())
                .extracting(Column::key)
                .containsExactly("name", "holder", "taken_ago_seconds", "expired_ago_seconds", "fence");
        assertThat(Found.rows(told)).singleElement().satisfies(row -> {
            assertThat(row).startsWith("sweep", "node-a/1/ab", "40 d");
            assertThat(row.get(3)).isEqualTo(Ages.text(duration(ago)));
        });
    }

    private static Duration duration(String ago) {
        int space = ago.indexOf(' ');
        ChronoUnit unit = Map.of("h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS).get(ago.substring(space + 1));
        return Duration.of(Long.parseLong(ago.substring(0, space)), Objects.requireNonNull(unit));
    }

    @ParameterizedTest
    @EnumSource
    void whatWasReleasedOrRestsIsNotSaidToHaveRunOut(PostgresVersion version) throws SQLException {
        begin(version);
        row("released", "now() - interval '40 d'", "'epoch'", "");
        row("older clock", "now() - interval '40 d'", "'-infinity'", "");
        row("rests", "now() - interval '40 d'", "now() + interval '1 h'", "");
        row("rested", "now() - interval '40 d'", "now() - interval '2 d'", "");
        database.execute("update leases set holder = '-' where name like 'rest%'");
        Diagnosis diagnosis = look();
        assertThat(Told.of(diagnosis, FindingKind.LEASES))
                .extracting(Finding::title)
                .containsExactly("0 leases are held, 3 released, 1 resting, 0 expired");
    }

    @ParameterizedTest
    @EnumSource
    void aRoundThatIsHeldForDaysIsARiskAndAPlainLeaseMayBeALeaders(PostgresVersion version) throws SQLException {
        begin(version);
        row("report", "now() - interval '30 h'", "now() + interval '2 minutes'", "now() - interval '31 h'");
        row("feed", "now() - interval '9 d'", "now() + interval '2 minutes'", "");
        row("young", "now() - interval '23 h'", "now() + interval '2 minutes'", "now() - interval '31 h'");
        Diagnosis diagnosis = look();
        Finding round = Told.the(FindingKind.LEASES, "running", diagnosis);
        assertThat(round.title()).isEqualTo("1 round has been running for more than 24 h");
        assertThat(round.severity()).isEqualTo(Severity.RISK);
        assertThat(Found.rows(round).get(0)).startsWith("report", "node-a/1/ab", "1 d 6 h");
        Finding plain = Told.the("1 lease has been held for more than 24 h", Told.of(diagnosis, FindingKind.LEASES));
        assertThat(plain.severity()).isEqualTo(Severity.INFORMATION);
        assertThat(Found.rows(plain).get(0)).startsWith("feed");
        assertThat(plain.remedy())
                .isEqualTo(Remedy.now(
                        "If it hangs: leasehold release NAME ends the lease at once, and the holder is told at its"
                                + " next renewal."));
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseWithoutAnEndIsARiskAndInfiniteTimesDisturbNothing(PostgresVersion version) throws SQLException {
        begin(version);
        row("for ever", "'-infinity'", "'infinity'", "'-infinity'");
        row("for long", "'infinity'", "'294276-12-31'", "'infinity'");
        row("for a day", "now()", "now() + interval '23 h'", "");
        Finding told = Told.the(FindingKind.LEASES, "left, or for ever", look());
        assertThat(told.title()).isEqualTo("2 leases are held with more than 24 h left, or for ever");
        assertThat(told.severity()).isEqualTo(Severity.RISK);
        assertThat(Found.rows(told))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.get(2)).isEmpty());
        assertThat(Found.rows(told))
                .extracting(row -> row.get(3))
                .contains("")
                .anyMatch(left -> left.matches("1067\\d{5} d .*"));
    }

    @ParameterizedTest
    @EnumSource
    void namesAndHoldersOfOthersAreOneLineEach(PostgresVersion version) throws SQLException {
        begin(version);
        database.execute("insert into leases (name, holder, expires_at) values"
                + " (E'a\\nb\\x1b[2J\\u202Ec', repeat('x', 500), now() + interval '1 minute')");
        Finding told = Told.the(FindingKind.LEASES, "1 lease is held", look());
        assertThat(Found.rows(told).get(0).get(0)).isEqualTo("a b [2J c");
        assertThat(Found.rows(told).get(0).get(1)).hasSize(80).endsWith("x…");
    }

    /** A program releases what it reads here. */
    @ParameterizedTest
    @EnumSource
    void namesAreWholeInTheEvidence(PostgresVersion version) throws SQLException {
        begin(version);
        String name = "a\nb" + "c".repeat(500);
        database.execute("insert into leases (name, holder, taken_at, expires_at, deaths, pause_reason) values (E'"
                + name.replace("\n", "\\n") + "', 'node-a', now(), now() + interval '2 days', 3, 'why')");
        Diagnosis diagnosis = look();
        for (Finding told : List.of(
                Told.the(FindingKind.LEASES, "1 lease is held, 0", diagnosis),
                Told.the(FindingKind.LEASES, "1 lease is held with more than", diagnosis),
                Told.the(FindingKind.ROUNDS, "in a row", diagnosis),
                Told.the(FindingKind.ROUNDS, "paused", diagnosis))) {
            assertThat(told.evidence().rows().get(0).get(0)).isEqualTo(name);
            assertThat(Found.rows(told).get(0).get(0))
                    .startsWith("a bccc")
                    .endsWith("…")
                    .hasSize(300);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTenThousandLeasesTwentyAreShown(PostgresVersion version) throws SQLException {
        begin(version);
        database.execute("""
                insert into leases (name, holder, expires_at, deaths)
                select 'lease ' || n, 'node-a', now() + interval '2 minutes', 3 from generate_series(1, 10000) n
                """);
        Diagnosis diagnosis = look();
        Finding told = Told.the(FindingKind.LEASES, "held", diagnosis);
        assertThat(told.title()).isEqualTo("10,000 leases are held, 0 released, 0 resting, 0 expired");
        assertThat(told.evidence().leftOut()).isEqualTo(9_980);
        assertThat(Found.rows(told)).hasSize(20);
        assertThat(Told.the(FindingKind.ROUNDS, "10,000 leases", diagnosis)
                        .evidence()
                        .rows())
                .hasSize(20);
    }

    @ParameterizedTest
    @EnumSource
    void aRoundWhoseHoldersDieIsARisk(PostgresVersion version) throws Exception {
        begin(version);
        try (var brief = Leases.on(database.dataSource()).build()) {
            for (int i = 0; i < 4; i++) {
                assertThat(brief.tryAcquireSlot("import", Grid.every(Duration.ofHours(1)))
                                .lease())
                        .isPresent();
                database.execute("update leases set expires_at = now() - interval '1 minute'");
                assertThat(Told.of(look(), FindingKind.ROUNDS)).hasSize(i == 3 ? 1 : 0);
            }
        }
        Finding told = Told.the(FindingKind.ROUNDS, "in a row", look());
        assertThat(told.title()).isEqualTo("1 lease has lost 3 or more holders in a row");
        assertThat(told.severity()).isEqualTo(Severity.RISK);
        assertThat(Found.rows(told).get(0)).startsWith("import", "3");
    }

    @ParameterizedTest
    @EnumSource
    void aPausedRoundIsToldWithItsReason(PostgresVersion version) throws SQLException {
        begin(version);
        try (var leases = Leases.on(database.dataSource()).build()) {
            leases.pause("report", "the provider\nis down");
            Finding told = Told.the(FindingKind.ROUNDS, "paused", look());
            assertThat(told.title()).isEqualTo("1 round is paused");
            assertThat(told.severity()).isEqualTo(Severity.INFORMATION);
            assertThat(Found.rows(told)).containsExactly(List.of("report", "the provider is down"));
            leases.resume("report");
            assertThat(Told.of(look(), FindingKind.ROUNDS)).isEmpty();
        }
    }
}
