package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.spring.database.DatabaseReadinessAutoConfiguration;
import dev.leasehold.spring.exclusive.ExclusiveAutoConfiguration;
import dev.leasehold.spring.integration.LeaseLockAutoConfiguration;
import dev.leasehold.spring.rounds.RoundsAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What may be said in properties, and what is said of those that are wrong. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseholdPropertiesTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class,
                    RoundsAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl());

    @ParameterizedTest
    @CsvSource({"30s, PT30S", "1m, PT1M", "PT1M, PT1M", "1500ms, PT1.5S", "6000, PT6S"})
    void durationsAreThoseOfSpringBoot(String value, Duration duration) {
        application
                .withPropertyValues("leasehold.ttl=" + value)
                .run(context -> assertThat(
                                context.getBean(LeaseholdProperties.class).ttl())
                        .isEqualTo(duration));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            leasehold.ttl                 | soon     | leasehold.ttl
            leasehold.ttl                 | 0s       | leasehold.ttl does not fit: ttl is PT0S, but must be 500 ms to 1 day
            leasehold.ttl                 | -1s      | leasehold.ttl does not fit: ttl is PT-1S
            leasehold.ttl                 | 60       | leasehold.ttl does not fit: ttl is PT0.06S
            leasehold.ttl                 | 2d       | leasehold.ttl does not fit: ttl is PT48H
            leasehold.ttl                 | ${never} | never
            leasehold.renew-every         | 1m       | leasehold.renew-every does not fit: renewEvery is PT1M
            leasehold.margin              | 0s       | leasehold.margin does not fit: margin is PT0S
            leasehold.table               | a.b.c    | leasehold.table does not fit
            leasehold.schema              | drop     | leasehold.schema
            leasehold.node                | ' '      | leasehold.node is "", but must have 1 to 255 characters
            leasehold.data-source         | other    | leasehold.data-source is "other", but there is no DataSource bean of that name
            leasehold.rounds.workers      | 0        | leasehold.rounds.workers is 0, but must be at least 1
            leasehold.rounds.stop-timeout | -1s      | leasehold.rounds.stop-timeout is PT-1S, but must be zero or more
            leasehold.rounds.stop-grace   | -1s      | leasehold.rounds.stop-grace is PT-1S, but must be zero or more
            """)
    void aWrongValueFailsTheStartAndNamesTheProperty(String property, String value, String message) {
        application
                .withPropertyValues(property + "=" + (value == null ? "" : value))
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    @Test
    void anEmptyValueIsTheDefault() {
        application
                .withPropertyValues("leasehold.ttl=", "leasehold.data-source=")
                .run(context -> assertThat(
                                context.getBean(LeaseholdProperties.class).ttl())
                        .isEqualTo(Duration.ofMinutes(2)));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, LeaseholdAutoConfiguration.class})
    static class Application {}

    @Test
    void whatIsWrongIsPrintedInAFewLinesWithWhatToDo(CapturedOutput output) {
        var started = new SpringApplication(Application.class);
        started.setWebApplicationType(WebApplicationType.NONE);
        assertThat(catchThrowable(() ->
                        started.run("--spring.datasource.url=" + database.jdbcUrl(), "--leasehold.renew-every=1m")))
                .isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("the property leasehold.renew-every does not fit: renewEvery is PT1M, but must be")
                .contains("Change leasehold.renew-every.")
                .doesNotContain("at dev.leasehold");
    }

    static class Reports {
        @Round(name = "report", every = "365d")
        public void report() {}
    }

    private void logsOnce(CapturedOutput output, String... lines) {
        for (String line : lines) {
            assertThat(output.getOut().lines().filter(one -> one.contains(line)))
                    .as(line)
                    .hasSize(1);
        }
    }

    @Test
    void theEffectiveValuesAreLoggedOnce(CapturedOutput output) {
        ApplicationContextRunner all = application
                .withConfiguration(AutoConfigurations.of(
                        DatabaseReadinessAutoConfiguration.class, LeaseLockAutoConfiguration.class))
                .withBean(Reports.class);
        all.withPropertyValues("leasehold.ttl=1m", "leasehold.node=node-a")
                .run(context -> logsOnce(
                        output,
                        "leases are kept in table leases of dataSource: ttl PT1M, renewed every PT15S, margin PT5S,"
                                + " schema CREATE, node node-a, transactions are fenced",
                        "rounds run on node node-a: a worker each, stop-timeout PT20S, no interrupt, no history",
                        "readiness of the database: timeout PT1S, 0 tolerated failures",
                        "locks are leases with the prefix \"lock:\", on a loss INTERRUPT"));
        all.withPropertyValues(
                        "leasehold.table=jobs",
                        "leasehold.fence-transactions=false",
                        "leasehold.rounds.workers=3",
                        "leasehold.rounds.stop-timeout=5s",
                        "leasehold.rounds.stop-grace=1s",
                        "leasehold.rounds.history=true",
                        "leasehold.readiness.timeout=2s",
                        "leasehold.readiness.tolerated-failures=4",
                        "leasehold.integration.prefix=",
                        "leasehold.integration.on-loss=go-on")
                .run(context -> logsOnce(
                        output,
                        "leases are kept in table jobs of dataSource: ttl PT2M, renewed every PT30S, margin PT10S,"
                                + " schema CREATE, node by the name of the host, transactions are not fenced",
                        ": 3 workers, stop-timeout PT5S, stop-grace PT1S, with history",
                        "readiness of the database: timeout PT2S, 4 tolerated failures",
                        "locks are leases with the prefix \"\", on a loss GO_ON"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            leasehold.enabled              | true
            leasehold.ttl                  | "2m"
            leasehold.table                | "leases"
            leasehold.schema               | "create"
            leasehold.fence-transactions   | true
            leasehold.rounds.enabled       | true
            leasehold.rounds.stop-timeout  | "20s"
            leasehold.rounds.history       | false
            management.health.leases.enabled            | true
            management.health.databaseReadiness.enabled | true
            management.health.doctor.enabled            | false
            """)
    void editorsKnowEachPropertyWithItsDefault(String property, String value) throws IOException {
        assertThat(metadata())
                .containsPattern("\"name\": \"" + Pattern.quote(property)
                        + "\",[^}]*\"description\": \"[^}]*\"defaultValue\": " + Pattern.quote(value));
    }

    @ParameterizedTest
    @CsvSource({
        "leasehold.renew-every",
        "leasehold.margin",
        "leasehold.data-source",
        "leasehold.node",
        "leasehold.rounds.workers",
        "leasehold.rounds.stop-grace",
        "leasehold.integration.prefix",
        "leasehold.readiness.timeout"
    })
    void editorsKnowThoseWithoutADefaultToo(String property) throws IOException {
        assertThat(metadata())
                .containsPattern("\"name\": \"" + Pattern.quote(property) + "\",[^}]*\"description\": \"");
    }

    private static String metadata() throws IOException {
        try (InputStream file =
                LeaseholdProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
