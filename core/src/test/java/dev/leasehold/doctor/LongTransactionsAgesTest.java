package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From which age on a transaction is told. */
class LongTransactionsAgesTest {

    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(30);

    private static boolean isTold(SessionState state, Duration open, Duration stateFor) {
        return isTold(state, open, stateFor, "client backend", false);
    }

    private static boolean isTold(SessionState state, Duration open, Duration stateFor, String kind, boolean isOwn) {
        var session = new Session(
                7,
                isOwn,
                kind,
                new Client("local", "psql", "postgres", "shop"),
                state,
                false,
                Optional.of(open),
                Optional.of(stateFor),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "select 1");
        return !LongTransactions.judge(List.of(session), LONGEST, LONGEST_IDLE).isEmpty();
    }

    @Test
    void oneThatWorksIsToldFromTheAgeThatWasAskedFor() {
        Duration below = LONGEST.minusNanos(1);
        assertThat(isTold(SessionState.ACTIVE, below, below)).isFalse();
        assertThat(isTold(SessionState.ACTIVE, LONGEST, Duration.ZERO)).isTrue();
    }

    @Test
    void anIdleOneIsToldEarlierByTheTimeItIsIdle() {
        Duration below = LONGEST_IDLE.minusNanos(1);
        assertThat(isTold(SessionState.IDLE_IN_TRANSACTION, LONGEST_IDLE, below))
                .isFalse();
        assertThat(isTold(SessionState.IDLE_IN_TRANSACTION, LONGEST_IDLE, LONGEST_IDLE))
                .isTrue();
        assertThat(isTold(SessionState.IDLE_IN_TRANSACTION, LONGEST, Duration.ZERO))
                .isTrue();
    }

    @Test
    void theServersOwnAndTheLookItselfAreNotTold() {
        assertThat(isTold(SessionState.ACTIVE, LONGEST, LONGEST, "autovacuum worker", false))
                .isFalse();
        assertThat(isTold(SessionState.ACTIVE, LONGEST, LONGEST, "walsender", false))
                .isFalse();
        assertThat(isTold(SessionState.ACTIVE, LONGEST, LONGEST, "client backend", true))
                .isFalse();
    }
}
