package dev.leasehold.spring.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.Round;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Rounds that cannot run are never left out in silence. */
@ExtendWith(OutputCaptureExtension.class)
class RoundsWithoutLeasesTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeaseholdAutoConfiguration.class, RoundsAutoConfiguration.class));

    private final ApplicationContextRunner application = bare.withBean(Reports.class)
            .withBean(
                    "hourly",
                    dev.leasehold.rounds.Round.class,
                    () -> dev.leasehold.rounds.Round.named("hourly")
                            .every(Duration.ofHours(1))
                            .work(context -> {}));

    static class Reports {
        @Round(name = "report", every = "1h")
        public void report() {}
    }

    private static Leases leasesIn(String table) {
        return Leases.on(DATABASE.dataSource()).table(table).build();
    }

    private static ApplicationContextRunner withTwo(ApplicationContextRunner application, boolean isOnePrimary) {
        return application
                .withBean("one", Leases.class, () -> leasesIn("one"), bean -> bean.setPrimary(isOnePrimary))
                .withBean("two", Leases.class, () -> leasesIn("two"));
    }

    @Test
    void withoutADataSourceTheStartFailsAndNamesTheRounds() {
        application.run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("there are rounds, [hourly, report], but no leases, for there is no DataSource"
                        + " bean: define one, or set leasehold.enabled=false"));
    }

    @Test
    void withSeveralLeasesOfWhichNoneIsPrimaryTheStartFailsAndNamesThem() {
        withTwo(application, false)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                "there are rounds, [hourly, report], and several Leases beans, [one, two],"
                                        + " of which none is primary"));
        withTwo(application, true)
                .run(context -> assertThat(
                                context.getBean(ApplicationRounds.class).status())
                        .hasSize(2));
    }

    @Test
    void anInstanceThatRunsNoRoundsNeedsNoLeasesForThem() {
        application
                .withPropertyValues("leasehold.rounds.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutRoundsNothingIsMissing(CapturedOutput output) {
        bare.run(context -> assertThat(context).hasNotFailed());
        withTwo(bare, false).run(context -> assertThat(context).hasNotFailed());
        bare.withPropertyValues("leasehold.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("do not run");
    }

    @Test
    void aWarningTellsOfThoseThatAreTurnedOffAlsoInALazyApplication(CapturedOutput output) {
        application
                .withPropertyValues("leasehold.enabled=false")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ApplicationRounds.class));
        assertThat(output).contains("leasehold.enabled is false: rounds [Reports.report, hourly] do not run");
    }
}
