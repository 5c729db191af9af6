package dev.leasehold.spring.exclusive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseMetrics;
import dev.leasehold.LeaseState;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.rounds.Scope;
import dev.leasehold.spring.CurrentLease;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a call of an exclusive method does, while its lease is free and while it is not. */
@ExtendWith(OutputCaptureExtension.class)
class ExclusiveTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl(), "tenant=acme", "leasehold.node=node-a");

    @Retention(RetentionPolicy.RUNTIME)
    @Exclusive("nightly")
    @interface Nightly {}

    interface Sweeping {
        @Exclusive("by-interface")
        void sweepByInterface();
    }

    static class Parent {
        @Exclusive("by-parent")
        public void sweepByParent() {}
    }

    /** Callers may need what it can do beyond. */
    static final class Subclass extends CompletableFuture<Void> {}

    static class Jobs extends Parent implements Sweeping {

        private final AtomicInteger runs = new AtomicInteger();
        private Consumer<Lease> during = lease -> {};

        // What others get is a proxy, whose fields are its own.
        int runs() {
            return runs.get();
        }

        void during(Consumer<Lease> next) {
            during = next;
        }

        private void run() {
            runs.incrementAndGet();
            during.accept(CurrentLease.get().orElseThrow());
        }

        @Exclusive("sweep")
        public void sweep() {
            run();
        }

        @Exclusive("sweep")
        public Optional<String> answer() {
            run();
            return Optional.of("ran");
        }

        @Exclusive("sweep")
        public OptionalInt number() {
            run();
            return OptionalInt.of(1);
        }

        @Exclusive(name = "sweep", otherwise = "-1")
        public int count() {
            run();
            return 1;
        }

        @Exclusive(name = "sweep", otherwise = "'busy, ' + #who")
        public String greet(String who) {
            run();
            return who;
        }

        @Exclusive("sweep")
        public CompletableFuture<Void> later(CompletableFuture<Void> end) {
            run();
            return end;
        }

        @Exclusive(name = "sweep", otherwise = "'busy'")
        public CompletableFuture<String> laterAnswer() {
            run();
            return CompletableFuture.completedFuture("ran");
        }

        @Exclusive("sweep of ${tenant}, #{#customer.length()} characters")
        public void named(String customer) {
            run();
        }

        @Exclusive("import of #{#who}")
        public void imports(String who) {
            run();
        }

        @Exclusive(name = "cache", scope = Scope.NODE)
        public void onEachNode() {
            run();
        }

        @Exclusive(name = "sweep", ttl = "10m")
        public void forLong() {
            run();
        }

        @Exclusive(name = "sweep", waitFor = "20s")
        public void patient() {
            run();
        }

        @Exclusive(name = "sweep", onLoss = LossPolicy.INTERRUPT)
        public void fragile() throws InterruptedException {
            run();
            TimeUnit.SECONDS.sleep(60);
        }

        @Exclusive(name = "sweep", onLoss = LossPolicy.INTERRUPT)
        public CompletableFuture<Void> fragileLater(CompletableFuture<Void> end) {
            run();
            return end;
        }

        @Exclusive(name = "sweep", onLoss = LossPolicy.INTERRUPT)
        public CompletableFuture<Void> fragileSubclass(Subclass end) {
            run();
            return end;
        }

        @Nightly
        public void nightly() {
            run();
        }

        @Override
        public void sweepByInterface() {
            run();
        }

        @Override
        public void sweepByParent() {
            run();
        }

        @Exclusive("sweep")
        public void fail() {
            throw new IllegalArgumentException("the work fails");
        }
    }

    private void with(Consumer<Jobs> test) {
        application.withBean(Jobs.class).run(context -> test.accept(context.getBean(Jobs.class)));
    }

    private String held() {
        try {
            return ""
                    + database.queryForString(
                            "select coalesce(string_agg(name, ', '), '') from leases" + " where expires_at > now()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As another instance would. */
    private Leases others() {
        return Leases.on(database.dataSource()).build();
    }

    @Test
    void aCallRunsUnderItsLeaseWhichIsReleasedAfterIt() {
        with(jobs -> {
            jobs.during(lease -> assertThat(held()).isEqualTo("sweep").isEqualTo(lease.name()));
            jobs.sweep();
            assertThat(jobs.runs()).isEqualTo(1);
            assertThat(held()).isEmpty();
            assertThat(jobs.answer()).contains("ran");
            assertThat(CurrentLease.get()).isEmpty();
        });
    }

    @Test
    void aCallIsSkippedWhileAnotherInstanceHoldsTheLease() {
        with(jobs -> {
            try (var others = others();
                    var lease = others.tryAcquire("sweep").lease().orElseThrow()) {
                jobs.sweep();
                assertThat(jobs.answer()).isEmpty();
                assertThat(jobs.number()).isEmpty();
                assertThat(jobs.count()).isEqualTo(-1);
                assertThat(jobs.greet("world")).isEqualTo("busy, world");
                assertThat(jobs.later(new CompletableFuture<>())).isCompletedWithValue(null);
                assertThat(jobs.laterAnswer()).isCompletedWithValue("busy");
                assertThat(jobs.runs()).isEqualTo(0);
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(jobs.count()).isEqualTo(1);
        });
    }

    @Test
    void aStageThatIsReturnedKeepsTheLeaseUntilItIsCompleted() {
        with(jobs -> {
            var end = new CompletableFuture<Void>();
            var returned = jobs.later(end);
            assertThat(held()).isEqualTo("sweep");
            jobs.sweep();
            assertThat(jobs.runs()).as("another call is skipped meanwhile").isEqualTo(1);
            end.complete(null);
            assertThat(returned).succeedsWithin(Duration.ofSeconds(10));
            assertThat(held()).isEmpty();
        });
    }

    @Test
    void namesMayComeFromPropertiesAndArguments() {
        with(jobs -> {
            jobs.during(lease -> assertThat(held()).isEqualTo("sweep of acme, 3 characters"));
            jobs.named("bob");
            jobs.during(lease -> assertThat(held()).isEqualTo("cache@node-a"));
            jobs.onEachNode();
            assertThat(jobs.runs()).isEqualTo(2);
        });
    }

    @Test
    void anArgumentThatIsMissingInTheNameIsAnErrorAndNoSharedLease() {
        with(jobs -> {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> jobs.imports(nothing()))
                    .withMessageContaining("#{#who}")
                    .withMessageContaining("gives null");
            assertThat(jobs.runs()).isZero();
        });
    }

    @SuppressWarnings("NullAway") // what must not be, but is
    private static String nothing() {
        return null;
    }

    @Test
    void theAnnotationIsFoundOnInterfacesParentsAndAnnotations() {
        with(jobs -> {
            jobs.during(lease -> assertThat(held()).isEqualTo("by-interface"));
            jobs.sweepByInterface();
            jobs.during(lease -> assertThat(held()).isEqualTo("by-parent"));
            jobs.sweepByParent();
            jobs.during(lease -> assertThat(held()).isEqualTo("nightly"));
            jobs.nightly();
            assertThat(jobs.runs()).isEqualTo(3);
        });
    }

    @Test
    void aLeaseMayLastForAnotherTime() {
        with(jobs -> {
            jobs.during(lease -> assertThat(lease.timeLeft()).isGreaterThan(Duration.ofMinutes(5)));
            jobs.forLong();
            assertThat(jobs.runs()).isEqualTo(1);
        });
    }

    @Test
    void aPatientCallWaitsForTheLease() {
        var refused = new CompletableFuture<String>();
        LeaseMetrics metrics = new LeaseMetrics() {
            @Override
            public void refused(String name) {
                refused.complete(name);
            }
        };
        application
                .withBean(LeaseMetrics.class, () -> metrics)
                .withBean(Jobs.class)
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    try (var others = others()) {
                        var lease = others.tryAcquire("sweep").lease().orElseThrow();
                        var call = CompletableFuture.runAsync(jobs::patient);
                        assertThat(refused)
                                .succeedsWithin(Duration.ofSeconds(15))
                                .isEqualTo("sweep");
                        assertThat(call).isNotDone();
                        lease.release();
                        assertThat(call).succeedsWithin(Duration.ofSeconds(15));
                        assertThat(jobs.runs()).isEqualTo(1);
                    }
                });
    }

    @Test
    void aCallUnderALeaseThatTheThreadHoldsGoesOn() {
        with(jobs -> {
            jobs.during(lease -> {
                jobs.during(again -> assertThat(again).isSameAs(lease));
                jobs.sweep();
            });
            jobs.sweep();
            assertThat(jobs.runs()).isEqualTo(2);
            assertThat(held()).isEmpty();
        });
    }

    @Test
    void aCallWhoseLeaseIsLostIsInterruptedIfItWantsThat() {
        application
                .withPropertyValues("leasehold.renew-every=250ms")
                .withBean(Jobs.class)
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    jobs.during(lease -> {
                        try {
                            database.execute("update leases set holder = 'another', fence = fence + 1");
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    assertThatExceptionOfType(LeaseLostException.class).isThrownBy(jobs::fragile);
                });
    }

    /** Its work is on other threads, which nobody can interrupt. */
    @Test
    void aStageWhoseLeaseIsLostEndsWithThatIfItWantsToKnow() {
        application
                .withPropertyValues("leasehold.renew-every=250ms")
                .withBean(Jobs.class)
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    var leases = new ArrayList<Lease>();
                    jobs.during(leases::add);
                    assertThat(jobs.fragileLater(CompletableFuture.completedFuture(null)))
                            .isCompleted();
                    for (boolean isLost : new boolean[] {false, true}) {
                        var end = new CompletableFuture<Void>();
                        var returned = isLost ? jobs.fragileLater(end) : jobs.later(end);
                        database.execute("update leases set holder = 'another', fence = fence + 1");
                        await().atMost(Duration.ofSeconds(30))
                                .until(() -> leases.get(leases.size() - 1).state() == LeaseState.LOST);
                        end.complete(null);
                        if (isLost) {
                            assertThat(returned)
                                    .isCompletedExceptionally()
                                    .failsWithin(Duration.ofSeconds(10))
                                    .withThrowableThat()
                                    .withCauseInstanceOf(LeaseLostException.class);
                        } else {
                            assertThat(returned).as("goes on").isCompleted();
                        }
                        database.execute("update leases set expires_at = 'epoch'");
                    }
                });
    }

    /** It cannot be replaced by one that fails. */
    @Test
    void aStageOfAnotherTypeWhoseLeaseIsLostEndsAsItDoesWithAWarning(CapturedOutput output) {
        String warning = "lease sweep was lost before the end of a " + Subclass.class.getName();
        application
                .withPropertyValues("leasehold.renew-every=250ms")
                .withBean(Jobs.class)
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    var leases = new ArrayList<Lease>();
                    jobs.during(leases::add);
                    var held = new Subclass();
                    held.complete(null);
                    assertThat(jobs.fragileSubclass(held)).isSameAs(held);
                    assertThat(output).doesNotContain(warning);
                    var end = new Subclass();
                    assertThat(jobs.fragileSubclass(end)).isSameAs(end);
                    database.execute("update leases set holder = 'another', fence = fence + 1");
                    await().atMost(Duration.ofSeconds(30))
                            .until(() -> leases.get(1).state() == LeaseState.LOST);
                    end.complete(null);
                    assertThat(end).isCompleted();
                    assertThat(output.getAll().lines().filter(line -> line.contains(warning)))
                            .hasSize(1);
                });
    }

    @Test
    void anExceptionReleasesTheLeaseAndReachesTheCaller() {
        with(jobs -> {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(jobs::fail)
                    .withMessage("the work fails");
            assertThat(held()).isEmpty();
        });
    }

    @Test
    void workThatMustNotRunWithoutALeaseCanAskForIt() {
        with(jobs -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> CurrentLease.require("sweep"))
                    .withMessageContaining("sweep")
                    .withMessageContaining("past the proxy");
            jobs.during(lease -> {
                assertThat(CurrentLease.require("sweep")).isSameAs(lease);
                lease.release();
                assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> CurrentLease.require("sweep"));
            });
            jobs.sweep();
            assertThat(jobs.runs()).isEqualTo(1);
        });
    }
}
