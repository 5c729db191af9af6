package dev.leasehold.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spring.InvalidPropertyException;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DoctorHealthAutoConfigurationTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String ON = "management.health.doctor.enabled=true";
    private static final String BEAN = "doctorHealthIndicator";

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner withoutDataSource = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    HealthContributorRegistryAutoConfiguration.class,
                    DoctorHealthAutoConfiguration.class));

    private final ApplicationContextRunner application =
            withoutDataSource.withPropertyValues("spring.datasource.url=" + database.jdbcUrl());

    /** Of the first look that has ended. */
    private static Health health(HealthIndicator indicator) {
        await().atMost(LIMIT)
                .until(() ->
                        Objects.requireNonNull(indicator.health()).getDetails().containsKey("role"));
        return Objects.requireNonNull(indicator.health());
    }

    private static String role(HealthIndicator indicator) {
        return String.valueOf(health(indicator).getDetails().get("role"));
    }

    @Test
    void itIsOffUntilItIsTurnedOn() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        application
                .withPropertyValues("management.health.defaults.enabled=true")
                .run(context -> assertThat(context).doesNotHaveBean(BEAN));
        application
                .withPropertyValues("management.health.doctor.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(BEAN));
        application
                .withPropertyValues(ON, "management.health.defaults.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().hasBean(BEAN));
    }

    @Test
    void aPoolThatIsUsedUpByAdvisoryLocksIsDownAndABudgetIsJudged() throws Exception {
        DataSource nightly = database.dataSourceAs("postgres", "&ApplicationName=nightly");
        try (Connection one = nightly.getConnection();
                Connection other = nightly.getConnection()) {
            lock(one, 1);
            lock(other, 2);
            application.withPropertyValues(ON, "leasehold.doctor.budget=150").run(context -> {
                Health health = health(context.getBean(HealthIndicator.class));
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(String.valueOf(health.getDetails().get("findings")))
                        .contains("kind=locks-on-idle-connections, severity=problem", "nightly")
                        .contains("of a budget of 150");
            });
        }
    }

    /** Longer than an open transaction is put up with here, and much shorter than by default. */
    @Test
    void transactionsAreLongFromTheAgeThatIsSet() throws Exception {
        try (Connection open = database.connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("select 1");
            application
                    .withPropertyValues(ON)
                    .run(context -> assertThat(findings(context.getBean(HealthIndicator.class)))
                            .doesNotContain("kind=long-transactions"));
            application
                    .withPropertyValues(ON, "leasehold.doctor.long-transaction=10ms", "leasehold.doctor.every=1s")
                    .run(context -> {
                        var indicator = context.getBean(HealthIndicator.class);
                        await().atMost(LIMIT).until(() -> findings(indicator).contains("kind=long-transactions"));
                    });
        }
    }

    private static String findings(HealthIndicator indicator) {
        return String.valueOf(health(indicator).getDetails().get("findings"));
    }

    private static void lock(Connection connection, int key) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(" + key + ")");
        }
    }

    @Test
    void anApplicationWithoutLeasesHasItToo() {
        application
                .withPropertyValues(ON, "leasehold.enabled=false")
                .run(context ->
                        assertThat(role(context.getBean(HealthIndicator.class))).isEqualTo("postgres"));
    }

    @Test
    void ofSeveralSourcesItLooksAtThatOfTheLeases() throws Exception {
        database.execute("create role keeper login");
        database.execute("grant all on schema public to keeper");
        DataSource ofKeeper = database.dataSourceAs("keeper", "");
        withoutDataSource
                .withBean("plain", DataSource.class, database::dataSource)
                .withBean("keeping", DataSource.class, () -> ofKeeper)
                .withPropertyValues(ON, "leasehold.data-source=keeping")
                .run(context ->
                        assertThat(role(context.getBean(HealthIndicator.class))).isEqualTo("keeper"));
    }

    @Test
    void severalSourcesWithoutLeasesHaveNoneAndBreakNoStart() {
        withoutDataSource
                .withBean("one", DataSource.class, database::dataSource)
                .withBean("two", DataSource.class, database::dataSource)
                .withPropertyValues(ON, "leasehold.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(HealthContributorRegistry.class).getContributor("doctor"))
                            .isNull();
                });
    }

    @Test
    void theDefaultsAreThese() {
        application
                .withPropertyValues(ON)
                .run(context -> assertThat(context.getBean(DoctorProperties.class))
                        .isEqualTo(new DoctorProperties(Duration.ofSeconds(30), null, Duration.ofMinutes(5))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            leasehold.doctor.budget           | 0     | budget is 0, but must be 1 or more connections
            leasehold.doctor.long-transaction | 1ms   | longTransaction is PT0.001S, but must be PT0.01S or more
            """)
    void aSettingThatDoesNotFitFailsTheStartAndIsNamedWithTheRule(String property, String value, String rule) {
        application.withPropertyValues(ON, property + "=" + value).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                            .filter(InvalidPropertyException.class::isInstance)
                            .map(InvalidPropertyException.class::cast))
                    .singleElement()
                    .satisfies(failure -> {
                        assertThat(failure.description())
                                .isEqualTo("the property " + property + " does not fit: " + rule);
                        assertThat(failure.action()).isEqualTo("Change " + property + ".");
                    });
        });
    }

    @Test
    void looksInAHurryAreRefused() {
        application
                .withPropertyValues(ON, "leasehold.doctor.every=999ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("leasehold.doctor.every is PT0.999S, but must be 1 s or more"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            management.health.doctor.enabled  | false
            leasehold.doctor.every            | "30s"
            leasehold.doctor.long-transaction | "5m"
            """)
    void editorsKnowEachPropertyWithItsDefault(String property, String value) throws IOException {
        assertThat(metadata())
                .containsPattern("\"name\": \"" + Pattern.quote(property)
                        + "\",[^}]*\"description\": \"[^}]*\"defaultValue\": " + Pattern.quote(value));
    }

    @ParameterizedTest
    @ValueSource(strings = "leasehold.doctor.budget")
    void editorsKnowThoseWithoutADefaultToo(String property) throws IOException {
        assertThat(metadata())
                .containsPattern("\"name\": \"" + Pattern.quote(property) + "\",[^}]*\"description\": \"");
    }

    private static String metadata() throws IOException {
        try (InputStream file =
                DoctorProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void itIsPartOfTheWholeHealthAndOfNoProbe() {
        application
                .withConfiguration(AutoConfigurations.of(
                        HealthEndpointAutoConfiguration.class,
                        ApplicationAvailabilityAutoConfiguration.class,
                        AvailabilityHealthContributorAutoConfiguration.class,
                        AvailabilityProbesAutoConfiguration.class))
                .withPropertyValues(ON, "management.endpoints.web.exposure.include=health")
                .run(context -> {
                    var groups = context.getBean(HealthEndpointGroups.class);
                    assertThat(groups.getPrimary().isMember("doctor")).isTrue();
                    assertThat(context.getBean(HealthEndpoint.class).healthForPath("doctor"))
                            .isNotNull();
                    assertThat(groups.getNames()).containsExactlyInAnyOrder("liveness", "readiness");
                    for (String probe : groups.getNames()) {
                        assertThat(groups.get(probe)).isNotNull().matches(group -> !group.isMember("doctor"));
                    }
                });
    }
}
