package dev.leasehold.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class InvoiceNumbersTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void twoProcessesGiveOutNumbersOneAtATimeAndSigtermHandsOver() throws Exception {
        try (var first = new Instance(database.jdbcUrl());
                var second = new Instance(database.jdbcUrl())) {
            first.await("started");
            second.await("started");
            var leader = (Instance)
                    CompletableFuture.anyOf(first.leader(), second.leader()).get(60, TimeUnit.SECONDS);
            var follower = leader == first ? second : first;
            leader.await("number 10");
            assertThat(follower.leader()).isNotDone();

            assertThat(leader.terminate()).as("what the JVM answers to SIGTERM").isEqualTo(143);
            follower.await(Instance.GIVES_OUT);
            follower.await("number");
            assertThat(follower.terminate()).isEqualTo(143);

            assertThat(follower.lines())
                    .as("the lease was released, so nobody had to wait for its end")
                    .noneMatch(line -> line.contains("died without a release"));
            long[] numbers =
                    LongStream.concat(leader.numbers(), follower.numbers()).toArray();
            assertThat(numbers)
                    .as("no number twice, none missing")
                    .containsExactly(LongStream.rangeClosed(1, numbers.length).toArray());
        }
        assertThat(database.queryForLong("select count(*) from leases where expires_at <> 'epoch'"))
                .as("leases that were not released")
                .isZero();
        assertThat(database.queryForLong("select count(*) from round_runs where outcome = 'DONE' and counted"))
                .isPositive();
        assertThat(database.queryForLong("select count(*) - count(distinct slot) from round_runs where counted"))
                .as("slots that were counted twice")
                .isZero();
    }
}
