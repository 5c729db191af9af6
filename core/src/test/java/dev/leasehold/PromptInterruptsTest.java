package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long after the own deadline work is interrupted whose trust lasts for a moment only. */
class PromptInterruptsTest {

    private static final int TRIES = 20;
    private static final Duration BRIEF = Duration.ofMillis(200);
    /** Without a reason to look sooner the deadlines are looked at once a second, and each try begins just after a look. */
    private static final Duration PROMPT = Duration.ofMillis(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Leases leases = Leases.on(database.dataSource()).build();

    @AfterEach
    void close() {
        leases.close();
    }

    private interface Lateness {
        Duration ofTry(int number);
    }

    private static void assertPromptAtLeastOnce(Lateness lateness) {
        Duration least = lateness.ofTry(0);
        for (int i = 1; i < TRIES && least.compareTo(PROMPT) >= 0; i++) {
            Duration next = lateness.ofTry(i);
            least = next.compareTo(least) < 0 ? next : least;
        }
        assertThat(least).isLessThan(PROMPT);
    }

    private Duration lateness(LeaseRequest request, LeasedWork<InterruptedException> begin) {
        var late = new AtomicReference<>(Duration.ZERO);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> leases.tryRun(request, LossPolicy.INTERRUPT, lease -> {
                    begin.run(lease);
                    try {
                        TimeUnit.MINUTES.sleep(2);
                    } finally {
                        late.set(lease.timeLeft().negated());
                    }
                }));
        Duration lateness = Objects.requireNonNull(late.get());
        assertThat(lateness).isGreaterThanOrEqualTo(Duration.ZERO);
        return lateness;
    }

    private void alignWithTheLooks() {
        Duration unused = lateness(LeaseRequest.named("first").limit(BRIEF), lease -> {});
    }

    @Test
    void aLimitThatIsSoonOverIsNoticedAtOnce() {
        alignWithTheLooks();
        assertPromptAtLeastOnce(i -> lateness(LeaseRequest.named("limited " + i).limit(BRIEF), lease -> {}));
    }

    @Test
    void aLimitThatIsMadeShorterIsNoticedAtOnce() {
        alignWithTheLooks();
        assertPromptAtLeastOnce(
                i -> lateness(LeaseRequest.named("shortened " + i).limit(Duration.ofHours(1)), lease -> {
                    boolean unused = lease.extend(BRIEF);
                }));
    }
}
