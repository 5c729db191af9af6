package dev.leasehold.watch.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Grid;
import dev.leasehold.Leases;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.Scope;
import dev.leasehold.watch.WatchProperties;
import dev.leasehold.watch.testing.DnsServer;
import dev.leasehold.watch.testing.Hook;
import dev.leasehold.watch.testing.MigratedDatabase;
import dev.leasehold.watch.testing.RawServer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The four jobs as the application finds them, and as rounds on real leases. */
class JobsTest {

    private final MigratedDatabase database = new MigratedDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @ComponentScan({
        "dev.leasehold.watch.uptime",
        "dev.leasehold.watch.alerts",
        "dev.leasehold.watch.mail",
        "dev.leasehold.watch.sweep"
    })
    @EnableConfigurationProperties(WatchProperties.class)
    static class Jobs {}

    private ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withUserConfiguration(Jobs.class)
                .withBean(JdbcClient.class, database::jdbc)
                .withBean(TransactionTemplate.class, database::transactions)
                .withPropertyValues("watch.node=node-a");
    }

    @Test
    void eachFolderContributesItsRound() {
        application().run(context -> {
            Map<String, Round> rounds = context.getBeansOfType(Round.class).values().stream()
                    .collect(Collectors.toMap(Round::name, r -> r));

            assertThat(rounds.keySet()).containsExactlyInAnyOrder("uptime", "alerts", "mail", "sweep");
            assertRound(rounds, "uptime", Duration.ofSeconds(10), Scope.NODE);
            assertRound(rounds, "alerts", Duration.ofSeconds(30), Scope.CLUSTER);
            assertRound(rounds, "mail", Duration.ofMinutes(15), Scope.CLUSTER);
            assertRound(rounds, "sweep", Duration.ofHours(1), Scope.CLUSTER);
        });
    }

    private static void assertRound(Map<String, Round> rounds, String name, Duration period, Scope scope) {
        assertThat(rounds).hasEntrySatisfying(name, round -> {
            assertThat((Grid) round.schedule()).extracting(Grid::period).isEqualTo(period);
            assertThat(round.scope()).isEqualTo(scope);
        });
    }

    @Test
    void badSettingEndsTheStart() {
        application()
                .withPropertyValues("watch.uptime.parallelism=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("watch.uptime.parallelism is 0, but must be from 1 to 256"));
    }

    @Test
    void allFourDoTheirWorkAsRoundsOnAPoolOfOneConnection() throws Exception {
        try (var dns = new DnsServer();
                var hook = new Hook();
                var broken = new RawServer(RawServer.answering("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"))) {
            dns.txt("example.test", "v=spf1 -all").txt("_dmarc.example.test", "v=DMARC1; p=reject");
            database.addMonitor("shop", broken.url(), Duration.ofSeconds(5));
            database.aside()
                    .sql("insert into domain (name, source) values ('example.test', 'api')")
                    .update();
            database.aside()
                    .sql("insert into sso_request (state, nonce, code_verifier, expires_at)"
                            + " values ('old', 'n', 'v', now() - interval '1 s')")
                    .update();

            application()
                    .withPropertyValues(
                            "watch.uptime.period=500ms",
                            "watch.alerts.period=500ms",
                            "watch.alerts.webhook-url=" + hook.url(),
                            "watch.mail.period=500ms",
                            "watch.mail.resolver=" + dns.hostAndPort(),
                            "watch.mail.timeout=20s",
                            "watch.sweep.period=500ms")
                    .run(context -> runAndSee(context.getBeansOfType(Round.class), hook));
        }
    }

    private void runAndSee(Map<String, Round> beans, Hook hook) {
        try (Leases leases = Leases.on(database.pool()).build()) {
            var builder = Rounds.on(leases).node("node-a");
            for (Round round : beans.values()) {
                builder = builder.add(round);
            }
            try (Rounds rounds = builder.start()) {
                await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                    assertThat(database.count("check_result where outcome = 'down'"))
                            .isGreaterThan(1);
                    assertThat(database.count("mail_finding where status = 'ok'"))
                            .isEqualTo(2);
                    assertThat(database.count("sso_request")).isZero();
                    assertThat(hook.keys()).hasSize(1);
                    assertThat(rounds.status()).hasSize(4).allSatisfy(status -> {
                        assertThat(status.runs()).isGreaterThan(1);
                        assertThat(status.lastOutcome()).isEqualTo(Optional.of(RoundOutcome.DONE));
                    });
                });
                assertThat(rounds.stop(Duration.ofSeconds(60))).isEmpty();
            }
        }
    }
}
