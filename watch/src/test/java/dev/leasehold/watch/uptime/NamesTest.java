package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.DnsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.SimpleResolver;

/** A name the platform does not find, on a node with a search list. */
class NamesTest {

    private DnsServer server;

    @BeforeEach
    void start() throws IOException {
        server = new DnsServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private Names.Answer find(String host, int ndots) throws Exception {
        var resolver = new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        resolver.setTimeout(Duration.ofSeconds(20));
        var dns = new Dns(resolver, List.of(Name.fromString("corp.test."), Name.fromString("lab.test.")), ndots);
        Platform findsNothing = name -> {
            throw new UnknownHostException(name);
        };
        return new Names(ForkJoinPool.commonPool(), findsNothing, () -> dns)
                .find(host, Deadline.in(Duration.ofSeconds(30)));
    }

    private static void assertUnknown(Names.Answer answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Names.Answer.Not.class, not -> assertThat(not.seen()).isInstanceOf(Seen.ResolverFailed.class));
    }

    @Test
    void nameWhoseSearchListFailsMayExist() throws Exception {
        server.servfail("db.lab.test");

        assertUnknown(find("db", 1));
    }

    @Test
    void nameThatIsOneOfTheSearchListOnlyIsNoneThatDoesNotExist() throws Exception {
        server.add(new ARecord(Name.fromString("db.corp.test."), DClass.IN, 60, InetAddress.getLoopbackAddress()));

        assertUnknown(find("db", 1));
    }

    @Test
    void nameThatIsNowhereInTheSearchListDoesNotExist() throws Exception {
        assertThat(find("db", 1)).isEqualTo(new Names.Answer.Not(new Seen.NoSuchName("db")));
        assertThat(server.asked()).contains("db A udp", "db.corp.test A udp", "db.lab.test AAAA udp");
    }

    @Test
    void searchListDoesNotCountForANameWithDotsEnough() throws Exception {
        server.servfail("shop.example.corp.test").servfail("db.corp.test");

        assertThat(find("shop.example", 1)).isEqualTo(new Names.Answer.Not(new Seen.NoSuchName("shop.example")));
        assertThat(find("db.", 1)).isEqualTo(new Names.Answer.Not(new Seen.NoSuchName("db.")));
        assertUnknown(find("shop.example", 2));
    }
}
