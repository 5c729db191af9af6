package dev.leasehold.watch.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.DnsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DnsTxtTest {

    private static final Duration TIMEOUT = Duration.ofMillis(800);
    private static final Duration LATEST = TIMEOUT.plusSeconds(1);
    private static final int TRIES = 5;

    private DnsServer dns;

    @BeforeEach
    void start() throws IOException {
        dns = new DnsServer();
    }

    @AfterEach
    void stop() throws IOException {
        dns.close();
    }

    private TxtAnswer of(String name, Duration timeout) throws InterruptedException {
        return DnsTxt.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), dns.port()), timeout)
                .of(name);
    }

    private TxtAnswer of(String name) throws InterruptedException {
        return of(name, Duration.ofSeconds(10));
    }

    private static TxtAnswer texts(String... texts) {
        return new TxtAnswer.Texts(List.of(texts));
    }

    @Test
    void stringsOfOneRecordAreJoinedWithNothingBetween() throws Exception {
        dns.txt("example.test", "v=spf1 ip4:192.0.", "2.0/24 -all");

        assertThat(of("example.test")).isEqualTo(texts("v=spf1 ip4:192.0.2.0/24 -all"));
    }

    @Test
    void everyRecordIsSeen() throws Exception {
        dns.txt("example.test", "one").txt("example.test", "two");

        assertThat(((TxtAnswer.Texts) of("example.test")).texts()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void bytesThatAreNotAsciiAreKept() throws Exception {
        dns.txt("example.test", "a\u00c2\u00a0b\u0000");

        assertThat(of("example.test")).isEqualTo(texts("a\u00c2\u00a0b\u0000"));
    }

    @Test
    void nameThatDoesNotExistIsToldFromOneWithoutARecord() throws Exception {
        dns.empty("empty.test");

        assertThat(of("gone.test")).isEqualTo(new TxtAnswer.NoSuchName());
        assertThat(of("empty.test")).isEqualTo(new TxtAnswer.NoRecord());
    }

    @Test
    void answerIsTakenByTypeAtTheEndOfTheAliases() throws Exception {
        dns.cname("a.test", "b.test").cname("b.test", "c.test").txt("c.test", "found");
        dns.cname("d.test", "nowhere.test");
        dns.cname("e.test", "f.test").empty("f.test");

        assertThat(of("a.test")).isEqualTo(texts("found"));
        assertThat(of("d.test")).isEqualTo(new TxtAnswer.NoSuchName());
        assertThat(of("e.test")).isEqualTo(new TxtAnswer.NoRecord());
    }

    @Test
    void aliasesThatRunInACircleAreAFailure() throws Exception {
        dns.cname("a.test", "b.test").cname("b.test", "a.test");

        assertThat(of("a.test")).isInstanceOf(TxtAnswer.Failed.class);
    }

    @Test
    void cutAnswerIsFetchedOverTcp() throws Exception {
        dns.txt("long.test", "x".repeat(255), "y".repeat(255)).truncatedOverUdp("long.test");

        assertThat(of("long.test")).isEqualTo(texts("x".repeat(255) + "y".repeat(255)));
        assertThat(dns.asked()).contains("long.test TXT udp", "long.test TXT tcp");
    }

    @Test
    void errorOfTheResolverIsAFailure() throws Exception {
        dns.servfail("broken.test").refused("refused.test");

        assertThat(of("broken.test")).isInstanceOf(TxtAnswer.Failed.class);
        assertThat(of("refused.test")).isInstanceOf(TxtAnswer.Failed.class);
    }

    /** In one of a few times, for the machine may keep this thread from seeing it. */
    @Test
    void silenceIsAFailureAtTheDeadline() throws Exception {
        dns.silent("mute.test");
        Duration took = LATEST;
        for (int time = 1; time <= TRIES && took.compareTo(LATEST) >= 0; time++) {
            long start = System.nanoTime();

            assertThat(of("mute.test", TIMEOUT)).isInstanceOf(TxtAnswer.Failed.class);

            took = Duration.ofNanos(System.nanoTime() - start);
        }
        assertThat(took).isLessThan(LATEST);
    }

    @Test
    void lostPacketIsAskedForAgain() throws Exception {
        dns.txt("lossy.test", "here").losesFirst("lossy.test");

        assertThat(of("lossy.test", Duration.ofSeconds(8))).isEqualTo(texts("here"));
    }

    @Test
    void resolverThatIsNotThereIsAFailure() throws Exception {
        dns.close();

        assertThat(of("example.test", TIMEOUT)).isInstanceOf(TxtAnswer.Failed.class);
    }

    @Test
    void nameThatCannotBeAskedForIsAFailure() throws Exception {
        assertThat(of("x".repeat(64) + ".test")).isInstanceOf(TxtAnswer.Failed.class);
        assertThat(of("a..test")).isInstanceOf(TxtAnswer.Failed.class);
    }
}
