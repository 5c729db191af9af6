package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LossPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rounds that are copied with other work. */
class OtherWorkTest {

    private static final RoundWork NOTHING = context -> {};

    @Test
    void allElseStaysAsItWas() {
        var round = Round.named("sweep")
                .every(Duration.ofHours(1))
                .offset(Duration.ofMinutes(5))
                .scope(Scope.NODE)
                .promise(Promise.AT_LEAST_ONCE)
                .onLoss(LossPolicy.INTERRUPT)
                .runTimeout(Duration.ofMinutes(7))
                .retryAfter(Duration.ofMinutes(2))
                .deathLimit(5)
                .work(context -> {});
        var copy = round.withWork(NOTHING);
        assertThat(copy.work()).isSameAs(NOTHING).isNotSameAs(round.work());
        assertThat(copy).usingRecursiveComparison().ignoringFields("work").isEqualTo(round);
    }

    @Test
    void workInATransactionKeepsItsPromise() {
        var round = Round.named("sweep").every(Duration.ofHours(1)).workInTransaction((context, connection) -> {});
        var around = round.withWork(context -> round.work().run(context));
        assertThat(around.promise()).isEqualTo(Promise.EXACTLY_ONCE);
    }
}
