package dev.leasehold.watch.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Scope;
import dev.leasehold.spring.rounds.ApplicationRounds;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

class RunningRoundsTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static RunningInstance with(TestDatabase database, Class<?> beans, String... properties) {
        return RunningInstance.with(List.of(beans), database.jdbcUrl(), properties);
    }

    @Test
    void everyRoundBeanRunsOnceTheWebServerListens() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create table seen (round text, port text)");
        try (RunningInstance instance = with(database, TwoRounds.class, "watch.run-rounds=true")) {
            await().atMost(SOON).until(() -> database.queryForLong("select count(distinct round) from seen") == 2);

            assertThat(database.queryForString("select string_agg(distinct port, ',') from seen"))
                    .isEqualTo(Integer.toString(instance.port()));
            assertThat(database.queryForLong("select count(*) from leases where name in ('fast', 'each@node-a')"))
                    .isEqualTo(2);
            assertThat(instance.answered("/").body()).contains("each@node-a", "fast");
        }
    }

    static class TwoRounds {

        @Bean
        Round fast(DataSource dataSource, Environment environment) {
            return Round.named("fast")
                    .every(Duration.ofSeconds(1))
                    .work(context -> see("fast", dataSource, environment));
        }

        @Bean
        Round each(DataSource dataSource, Environment environment) {
            return Round.named("each")
                    .every(Duration.ofSeconds(1))
                    .scope(Scope.NODE)
                    .work(context -> see("each", dataSource, environment));
        }

        private static void see(String round, DataSource dataSource, Environment environment) throws Exception {
            try (var connection = dataSource.getConnection();
                    var insert = connection.prepareStatement("insert into seen (round, port) values (?, ?)")) {
                insert.setString(1, round);
                insert.setString(2, environment.getProperty("local.server.port", "none"));
                insert.execute();
            }
        }
    }

    @Test
    void stopLetsARunningRoundEndWithItsDatabaseAndReleasesItsLease() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create table seen (round text)");
        RunningInstance instance = with(database, SlowRound.class, "watch.run-rounds=true", "watch.stop-timeout=60s");
        var stopping = new Thread(instance::close, "stopping");
        try {
            assertThat(instance.bean(SlowRound.class).started.await(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            stopping.start();
            // the round goes on only when the stop has begun
            await().atMost(SOON)
                    .until(() -> !instance.bean(ApplicationRounds.class).isRunning());
            // until it ends the instance is still there, for others and for people
            assertThat(instance.get("/up").statusCode()).isEqualTo(200);
            assertThat(instance.get("/health/ready").statusCode()).isEqualTo(503);
            await().atMost(SOON).until(() -> database.queryForLong("select count(*) from instance") == 1);
            instance.bean(SlowRound.class).goOn.countDown();
        } finally {
            stopping.join(SOON.toMillis());
        }

        assertThat(database.queryForLong("select count(*) from seen")).isEqualTo(1);
        assertThat(
                        database.queryForLong(
                                "select count(*) from leases where name = 'slow' and expires_at = 'epoch' and done_slot is not null"))
                .isEqualTo(1);
        assertThat(database.queryForLong("select count(*) from instance")).isZero();
    }

    static class SlowRound {

        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Bean
        Round slow(DataSource dataSource) {
            return Round.named("slow").every(Duration.ofHours(1)).work(context -> {
                started.countDown();
                assertThat(goOn.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
                try (var connection = dataSource.getConnection();
                        var insert = connection.prepareStatement("insert into seen (round) values ('slow')")) {
                    insert.execute();
                }
            });
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void roundThatDoesNotEndInTimeIsSaidOnce(CapturedOutput output) throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create table seen (round text)");
        RunningInstance instance = with(database, SlowRound.class, "watch.run-rounds=true", "watch.stop-timeout=100ms");
        SlowRound slow = instance.bean(SlowRound.class);
        try {
            assertThat(slow.started.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            instance.bean(ApplicationRounds.class).stop();
        } finally {
            slow.goOn.countDown();
            instance.close();
        }

        assertThat(output.toString().lines().filter(line -> line.contains("slow") && line.contains("PT0.1S")))
                .singleElement()
                .asString()
                .contains("rounds [slow] did not end within PT0.1S");
    }

    @Test
    void instanceThatIsToldNotToRunsNone() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("create table seen (round text, port text)");
        try (RunningInstance instance = with(database, TwoRounds.class, "watch.run-rounds=false")) {
            assertThat(instance.bean(ApplicationRounds.class).isRunning()).isFalse();
            assertThat(instance.answered("/").body()).contains("This instance runs no rounds");
        }
    }
}
