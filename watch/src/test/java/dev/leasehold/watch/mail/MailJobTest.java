package dev.leasehold.watch.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.watch.testing.DnsServer;
import dev.leasehold.watch.testing.MigratedDatabase;
import dev.leasehold.watch.testing.Properties;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MailJobTest {

    private final MigratedDatabase database = new MigratedDatabase();
    private DnsServer dns;

    @BeforeEach
    void start() throws IOException {
        dns = new DnsServer();
    }

    @AfterEach
    void stop() throws IOException {
        dns.close();
        database.close();
    }

    // Long enough that no question is repeated on a slow machine.
    private MailJob job(int batch) {
        return job(batch, Duration.ofSeconds(20));
    }

    private MailJob job(int batch, Duration timeout) {
        var properties = new MailProperties(
                Duration.ofMinutes(15),
                Duration.ofHours(23),
                Duration.ofMinutes(10),
                dns.hostAndPort(),
                timeout,
                batch,
                4);
        return new MailJob(properties, store(), () -> DnsTxt.at(properties.server(), properties.timeout()));
    }

    private MailStore store() {
        return new MailStore(database.jdbc(), database.transactions());
    }

    /** For names that are never answered, and none that are. */
    private void checkImpatiently() throws InterruptedException {
        job(100, Duration.ofSeconds(1)).run(() -> true);
    }

    /** For names that are never answered beside others that are, however slow the machine. */
    private CompletableFuture<Void> roundOfFiveSeconds() {
        return CompletableFuture.runAsync(() -> {
            try {
                job(100, Duration.ofSeconds(5)).run(() -> true);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void check() throws InterruptedException {
        job(100).run(() -> true);
    }

    private void domain(String name) {
        database.aside()
                .sql("insert into domain (name, source) values (:name, 'api')")
                .param("name", name)
                .update();
    }

    private List<String> findings() {
        return database.aside().sql("""
                        select d.name || ' ' || f.subject || ' ' || f.status
                        from mail_finding f
                        join domain d on d.id = f.domain_id
                        order by d.name, f.subject desc
                        """).query(String.class).list();
    }

    private void letTimePass(String interval) {
        database.aside()
                .sql("update mail_check set checked_at = checked_at - cast(:interval as interval)")
                .param("interval", interval)
                .update();
    }

    private long questionsFor(String name) {
        return dns.asked().stream().filter(line -> line.startsWith(name + " ")).count();
    }

    @Test
    void findingsOfEachDomainAreStored() throws Exception {
        domain("good.test");
        domain("bare.test");
        domain("double.test");
        dns.txt("good.test", "v=spf1 mx ", "-all").txt("_dmarc.good.test", "v=DMARC1; p=reject");
        dns.empty("bare.test").empty("_dmarc.test");
        dns.txt("double.test", "v=spf1 -all").txt("double.test", "v=spf1 mx -all");
        dns.cname("_dmarc.double.test", "dmarc.elsewhere.test").txt("dmarc.elsewhere.test", "v=DMARC1; p=none");
        check();

        assertThat(findings())
                .containsExactly(
                        "bare.test spf missing",
                        "bare.test dmarc missing",
                        "double.test spf invalid",
                        "double.test dmarc weak",
                        "good.test spf ok",
                        "good.test dmarc ok");
        assertThat(database.aside()
                        .sql("select record from mail_finding f join domain d on d.id = f.domain_id"
                                + " where d.name = 'good.test' and subject = 'spf'")
                        .query(String.class)
                        .single())
                .isEqualTo("v=spf1 mx -all");
    }

    @Test
    void checkedDomainIsLeftAloneForTwentyThreeHours() throws Exception {
        domain("good.test");
        dns.txt("good.test", "v=spf1 -all").txt("_dmarc.good.test", "v=DMARC1; p=reject");
        check();
        check();
        letTimePass("22 h 59 min");
        check();
        assertThat(questionsFor("good.test")).isEqualTo(1);

        letTimePass("2 min");
        check();
        assertThat(questionsFor("good.test")).isEqualTo(2);
    }

    @Test
    void failedLookUpIsUnknownNeverMissing() throws Exception {
        domain("broken.test");
        domain("mute.test");
        dns.servfail("broken.test").servfail("_dmarc.broken.test");
        dns.silent("mute.test").silent("_dmarc.mute.test");
        checkImpatiently();

        assertThat(findings())
                .containsExactly(
                        "broken.test spf unknown",
                        "broken.test dmarc unknown",
                        "mute.test spf unknown",
                        "mute.test dmarc unknown");
    }

    @Test
    void failedLookUpKeepsTheFindingThatIsThere() throws Exception {
        domain("good.test");
        dns.txt("good.test", "v=spf1 -all").txt("_dmarc.good.test", "v=DMARC1; p=reject");
        check();
        List<String> before = rows("select subject || status || record || found_at from mail_finding order by 1");

        for (boolean silent : new boolean[] {false, true}) {
            for (String name : List.of("good.test", "_dmarc.good.test")) {
                var unused = silent ? dns.silent(name) : dns.servfail(name);
            }
            letTimePass("24 h");
            checkImpatiently();
            assertThat(rows("select subject || status || record || found_at from mail_finding order by 1"))
                    .isEqualTo(before);
        }

        dns.forget("good.test")
                .forget("_dmarc.good.test")
                .empty("good.test")
                .empty("test")
                .empty("_dmarc.test");
        letTimePass("24 h");
        check();
        assertThat(findings()).containsExactly("good.test spf missing", "good.test dmarc missing");
    }

    private List<String> rows(String sql) {
        return database.aside().sql(sql).query(String.class).list();
    }

    @Test
    void domainWhoseLookUpFailedIsTriedAgainSoon() throws Exception {
        domain("broken.test");
        dns.txt("broken.test", "v=spf1 -all").servfail("_dmarc.broken.test");
        check();
        check();
        assertThat(questionsFor("broken.test")).isEqualTo(1);

        letTimePass("11 min");
        dns.forget("_dmarc.broken.test").txt("_dmarc.broken.test", "v=DMARC1; p=reject");
        check();
        assertThat(findings()).containsExactly("broken.test spf ok", "broken.test dmarc ok");

        letTimePass("11 min");
        check();
        assertThat(questionsFor("broken.test")).isEqualTo(2);
    }

    @Test
    void failingDomainsDoNotKeepOthersFromTheirTurn() throws Exception {
        for (int i = 0; i < 4; i++) {
            domain("a-broken" + i + ".test");
            dns.servfail("a-broken" + i + ".test").servfail("_dmarc.a-broken" + i + ".test");
        }
        domain("z-good.test");
        dns.txt("z-good.test", "v=spf1 -all").txt("_dmarc.z-good.test", "v=DMARC1; p=reject");

        for (int round = 0; round < 3; round++) {
            job(2).run(() -> true);
            letTimePass("15 min");
        }
        assertThat(findings()).contains("z-good.test spf ok", "z-good.test dmarc ok");

        letTimePass("24 h");
        dns.forget("z-good.test").txt("z-good.test", "v=spf1 ?all");
        for (int round = 0; round < 3; round++) {
            job(2).run(() -> true);
            letTimePass("15 min");
        }
        assertThat(findings()).contains("z-good.test spf weak");
    }

    @Test
    void domainThatTripsTheCheckIsUnknownAndCostsTheOthersNothing() throws Exception {
        domain("a-tripping.test");
        domain("b-good.test");
        Txt txt = name -> {
            if (name.contains("tripping")) {
                throw new IllegalStateException("tripped");
            }
            return new TxtAnswer.Texts(List.of(name.startsWith("_dmarc.") ? "v=DMARC1; p=reject" : "v=spf1 -all"));
        };
        MailProperties properties = Properties.bound("watch.mail", MailProperties.class, Map.of());

        new MailJob(properties, store(), () -> txt).run(() -> true);

        assertThat(findings())
                .containsExactly(
                        "a-tripping.test spf unknown",
                        "a-tripping.test dmarc unknown",
                        "b-good.test spf ok",
                        "b-good.test dmarc ok");
    }

    @Test
    void noConnectionIsHeldWhileTheDnsIsAsked() throws Exception {
        domain("mute.test");
        dns.silent("mute.test");

        CompletableFuture<Void> round = roundOfFiveSeconds();
        await().atMost(Duration.ofSeconds(30)).until(() -> questionsFor("mute.test") > 0);

        assertThat(database.poolIsBusy()).isFalse();
        round.get(60, TimeUnit.SECONDS);
        assertThat(findings()).containsExactly("mute.test spf unknown", "mute.test dmarc missing");
    }

    @Test
    void domainRemovedWhileItWasCheckedCostsTheOthersNothing() throws Exception {
        domain("kept.test");
        domain("removed.test");
        dns.silent("removed.test");
        dns.txt("kept.test", "v=spf1 -all").txt("_dmarc.kept.test", "v=DMARC1; p=reject");

        CompletableFuture<Void> round = roundOfFiveSeconds();
        await().atMost(Duration.ofSeconds(30)).until(() -> questionsFor("removed.test") > 0);
        database.aside().sql("delete from domain where name = 'removed.test'").update();
        round.get(60, TimeUnit.SECONDS);

        assertThat(findings()).containsExactly("kept.test spf ok", "kept.test dmarc ok");
    }

    @Test
    void roundEndsWhenTheLeaseIsNoLongerHeld() throws Exception {
        for (int i = 0; i < 10; i++) {
            domain("d" + i + ".test");
        }
        var asked = new AtomicInteger();

        job(100).run(() -> asked.incrementAndGet() <= 3);

        assertThat(database.count("mail_check")).isEqualTo(3);
    }
}
