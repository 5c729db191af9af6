package dev.leasehold.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.doctor.Column;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Doctor;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.FindingKind;
import dev.leasehold.doctor.Remedy;
import dev.leasehold.doctor.Server;
import dev.leasehold.doctor.Severity;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class DoctorHealthIndicatorTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration ALWAYS = Duration.ofNanos(1);
    private static final Duration ONCE = Duration.ofHours(1);
    private static final Server SERVER = new Server("18.4", 18, "shop", "app");
    private static final Instant NOW = Instant.parse("2026-11-29T20:00:00Z");

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static Finding finding(Severity severity) {
        return new Finding(
                FindingKind.BLOCKED_SESSIONS,
                severity,
                "2 sessions wait",
                new Evidence(List.of(new Column("query", Column.Kind.TEXT)), List.of(List.of("select secret")), 0),
                "they wait",
                new Remedy("end them", "", List.of("select secret;")));
    }

    private static DoctorHealthIndicator indicator(Supplier<Diagnosis> doctor, Duration every) {
        return new DoctorHealthIndicator(new DoctorLooks(doctor, every, LIMIT));
    }

    private static Health health(DoctorHealthIndicator indicator) {
        return Objects.requireNonNull(indicator.health());
    }

    /** Of the first look that has ended. */
    private static Health awaited(DoctorHealthIndicator indicator) {
        return await().atMost(LIMIT)
                .until(
                        () -> health(indicator),
                        health -> !"the first look has not ended yet"
                                .equals(health.getDetails().get("couldNotLook")));
    }

    @ParameterizedTest
    @CsvSource({"PROBLEM, DOWN", "RISK, UP", "INFORMATION, UP"})
    void onlyAProblemIsDown(Severity worst, String status) {
        var diagnosis = new Diagnosis(SERVER, NOW, List.of(finding(Severity.INFORMATION), finding(worst)));
        try (var indicator = indicator(() -> diagnosis, ONCE)) {
            assertThat(awaited(indicator).getStatus().getCode()).isEqualTo(status);
        }
    }

    @Test
    void aLookThatHangsMakesItUnknownHoweverWellTheOneBeforeFoundTheServer() {
        var hangs = new CountDownLatch(1);
        var diagnosis = new Diagnosis(SERVER, NOW, List.of(finding(Severity.RISK)));
        var looks = new AtomicInteger();
        Supplier<Diagnosis> doctor = () -> {
            if (looks.incrementAndGet() > 1) {
                awaitUninterruptibly(hangs);
            }
            return diagnosis;
        };
        try (var indicator = new DoctorHealthIndicator(new DoctorLooks(doctor, ALWAYS, Duration.ofSeconds(1)))) {
            await().atMost(LIMIT).until(() -> Status.UP.equals(health(indicator).getStatus()));
            await().atMost(LIMIT)
                    .until(() -> Status.UNKNOWN.equals(health(indicator).getStatus()));
            assertThat(health(indicator).getDetails())
                    .containsEntry("couldNotLook", "a look hangs")
                    .containsEntry("risks", 1L);
            hangs.countDown();
            await().atMost(LIMIT).until(() -> Status.UP.equals(health(indicator).getStatus()));
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void findingsAreToldByTheirTitlesWithoutTheEvidence() {
        var diagnosis = new Diagnosis(SERVER, NOW, List.of(finding(Severity.PROBLEM)));
        try (var indicator = indicator(() -> diagnosis, ONCE)) {
            assertThat(awaited(indicator).getDetails())
                    .containsEntry("lookedAt", "2026-11-29T20:00:00Z")
                    .containsEntry("server", "PostgreSQL 18.4")
                    .containsEntry("role", "app")
                    .containsEntry("problems", 1L)
                    .containsEntry("risks", 0L)
                    .containsEntry("information", 0L)
                    .containsEntry(
                            "findings",
                            List.of(Map.of(
                                    "kind", "blocked-sessions", "severity", "problem", "title", "2 sessions wait")));
        }
    }

    @Test
    void ofManyFindingsTheWorstAreTold() {
        List<Finding> many = new ArrayList<>(Collections.nCopies(30, finding(Severity.RISK)));
        many.add(finding(Severity.PROBLEM));
        try (var indicator = indicator(() -> new Diagnosis(SERVER, NOW, many), ONCE)) {
            Map<String, Object> details = awaited(indicator).getDetails();
            assertThat(details).containsEntry("risks", 30L);
            assertThat((List<?>) details.get("findings"))
                    .hasSize(20)
                    .first()
                    .asString()
                    .contains("problem");
        }
    }

    @Test
    void anAskNeverWaitsAndAsksWhileALookHangsMakeNoSecondOne() throws Exception {
        var looks = new AtomicInteger();
        var hangs = new CountDownLatch(1);
        Supplier<Diagnosis> slow = () -> {
            looks.incrementAndGet();
            try {
                assertThat(hangs.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new Diagnosis(SERVER, NOW, List.of());
        };
        try (var indicator = indicator(slow, ALWAYS)) {
            for (int i = 0; i < 50; i++) {
                Health health = health(indicator);
                assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
                assertThat(health.getDetails()).isEqualTo(Map.of("couldNotLook", "the first look has not ended yet"));
            }
            await().atMost(LIMIT).until(() -> looks.get() == 1);
            hangs.countDown();
            assertThat(awaited(indicator).getStatus()).isEqualTo(Status.UP);
        }
    }

    @Test
    void aPeriodHasOneLookHoweverOftenItIsAsked() {
        var looks = new AtomicInteger();
        Supplier<Diagnosis> counted = () -> {
            looks.incrementAndGet();
            return new Diagnosis(SERVER, NOW, List.of());
        };
        try (var indicator = indicator(counted, ONCE)) {
            awaited(indicator);
            for (int i = 0; i < 50; i++) {
                health(indicator);
            }
            assertThat(looks).hasValue(1);
        }
        try (var indicator = indicator(counted, ALWAYS)) {
            await().atMost(LIMIT).until(() -> health(indicator) != null && looks.get() > 3);
        }
    }

    /** A doctor at the other end of the wire; what it saw last is kept. */
    private Supplier<Diagnosis> looking(Wire wire, AtomicReference<Diagnosis> last) {
        Doctor doctor = Doctor.on(TestDatabase.dataSource(wire.jdbcUrl(database)));
        return () -> {
            Diagnosis seen = doctor.look();
            last.set(seen);
            return seen;
        };
    }

    /** That the database is away others tell. */
    @Test
    void aDatabaseThatIsAwayIsUnknownAndTheFindingsOfTheLookBeforeStay() throws Exception {
        var before = new AtomicReference<Diagnosis>();
        try (var wire = Wire.to(database);
                var indicator = indicator(looking(wire, before), Duration.ofMillis(50))) {
            assertThat(awaited(indicator).getStatus()).isNotEqualTo(Status.UNKNOWN);
            wire.become(Wire.Mode.CUT);
            Health away = await().atMost(LIMIT)
                    .until(() -> health(indicator), health -> health.getStatus().equals(Status.UNKNOWN));
            assertThat((String) away.getDetails().get("couldNotLook"))
                    .startsWith("the server is away or cannot be reached");
            Diagnosis last = Objects.requireNonNull(before.get());
            assertThat(away.getDetails())
                    .containsEntry("lookedAt", last.lookedAt().toString())
                    .containsEntry("problems", last.count(Severity.PROBLEM))
                    .containsKey("ageSeconds");
            wire.become(Wire.Mode.WHOLE);
            await().atMost(LIMIT).until(() -> !health(indicator).getStatus().equals(Status.UNKNOWN));
        }
    }

    @Test
    void aLookThatBreaksIsUnknownAndDoesNotEndTheLooks() {
        var looks = new AtomicInteger();
        var seen = new CountDownLatch(1);
        Supplier<Diagnosis> broken = () -> {
            if (looks.incrementAndGet() == 1) {
                throw new AssertionError("broken");
            }
            awaitUninterruptibly(seen);
            return new Diagnosis(SERVER, NOW, List.of());
        };
        try (var indicator = indicator(broken, Duration.ofSeconds(1))) {
            Health first = awaited(indicator);
            assertThat(first.getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(first.getDetails()).isEqualTo(Map.of("couldNotLook", "broken"));
            seen.countDown();
            await().atMost(LIMIT).until(() -> health(indicator).getStatus().equals(Status.UP));
        }
    }
}
