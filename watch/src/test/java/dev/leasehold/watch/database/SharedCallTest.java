package dev.leasehold.watch.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedCallTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(10);

    @Test
    void whoComesWhileItRunsSharesItsAnswer() throws Exception {
        var calls = new AtomicInteger();
        var answer = new CountDownLatch(1);
        try (var shared = new SharedCall<>("test-call", () -> {
            int call = calls.incrementAndGet();
            answer.await();
            return call;
        })) {
            assertThatThrownBy(() -> shared.await(SHORT)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> shared.await(SHORT)).isInstanceOf(TimeoutException.class);
            assertThat(calls.get()).isEqualTo(1);
            answer.countDown();

            assertThat(shared.await(LONG)).isBetween(1, 2);
        }
    }

    @Test
    void nextCallerAfterAnAnswerGetsANewOne() throws Exception {
        var calls = new AtomicInteger();
        try (var shared = new SharedCall<>("test-call", calls::incrementAndGet)) {
            assertThat(shared.await(LONG)).isEqualTo(1);
            assertThat(shared.await(LONG)).isEqualTo(2);
        }
    }

    @Test
    void failureIsToldAndTheNextCallRuns() throws Exception {
        var calls = new AtomicInteger();
        try (var shared = new SharedCall<>("test-call", () -> {
            if (calls.incrementAndGet() == 1) {
                throw new LinkageError("first");
            }
            return "second";
        })) {
            assertThatThrownBy(() -> shared.await(LONG))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LinkageError.class);
            assertThat(shared.await(LONG)).isEqualTo("second");
        }
    }

    @Test
    void closedOneFailsAtOnce() {
        var shared = new SharedCall<>("test-call", () -> "never");
        shared.close();

        assertThatThrownBy(() -> shared.await(LONG)).isInstanceOf(ExecutionException.class);
    }
}
