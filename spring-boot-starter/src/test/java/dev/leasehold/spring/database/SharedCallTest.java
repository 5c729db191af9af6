package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
    void aCallThatNeverReturnsIsGivenUpAfterItsPatienceWhichDoubles() throws Exception {
        var calls = new AtomicInteger();
        var hangs = new AtomicBoolean(true);
        try (var shared = new SharedCall<>("test-call", LONG.dividedBy(50), () -> {
            int call = calls.incrementAndGet();
            while (hangs.get()) {
                LockSupport.park(); // whatever interrupts it
                boolean unused = Thread.interrupted();
            }
            return call;
        })) {
            long start = System.nanoTime();
            while (calls.get() < 3) {
                assertThatThrownBy(() -> shared.await(SHORT)).isInstanceOf(TimeoutException.class);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(LONG.dividedBy(50).multipliedBy(3));
            hangs.set(false);
            threadsOf("test-call").forEach(LockSupport::unpark);
            // the third call, or a fourth if the third ended before anybody waited for it
            assertThat(shared.await(LONG))
                    .as("not an answer of one that was given up")
                    .isGreaterThanOrEqualTo(3);
        }
    }

    private static List<Thread> threadsOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .toList();
    }

    @Test
    void closedOneFailsAtOnce() {
        var shared = new SharedCall<>("test-call", () -> "never");
        shared.close();

        assertThatThrownBy(() -> shared.await(LONG)).isInstanceOf(ExecutionException.class);
    }
}
