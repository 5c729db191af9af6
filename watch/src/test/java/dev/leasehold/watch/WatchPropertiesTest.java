package dev.leasehold.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.spring.LeaseholdProperties;
import dev.leasehold.watch.values.StartRefusedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** With the defaults of {@code application.yaml}. */
class WatchPropertiesTest {

    @EnableConfigurationProperties({WatchProperties.class, LeaseholdProperties.class})
    static class Properties {}

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withInitializer(new ConfigDataApplicationContextInitializer())
            .withUserConfiguration(Properties.class)
            .withPropertyValues("watch.node=node-a");

    @Test
    void theDefaultsAreTheseForTheInstanceAndItsRounds() {
        application.run(context -> {
            assertThat(context.getBean(WatchProperties.class))
                    .isEqualTo(new WatchProperties("node-a", null, null, true, Duration.ofSeconds(20)));
            var rounds = context.getBean(LeaseholdProperties.class).rounds();
            assertThat(rounds.enabled()).isTrue();
            assertThat(rounds.stopTimeout()).isEqualTo(Duration.ofSeconds(20));
        });
    }

    @Test
    void whatIsSetReachesTheRounds() {
        application
                .withPropertyValues("watch.run-rounds=false", "watch.stop-timeout=3s")
                .run(context -> {
                    var rounds = context.getBean(LeaseholdProperties.class).rounds();
                    assertThat(rounds.enabled()).isFalse();
                    assertThat(rounds.stopTimeout()).isEqualTo(Duration.ofSeconds(3));
                });
    }

    @Test
    void aStopTimeoutThatIsSetToNothingIsTheDefault() {
        application
                .withPropertyValues("watch.stop-timeout=")
                .run(context -> assertThat(context.getBean(LeaseholdProperties.class)
                                .rounds()
                                .stopTimeout())
                        .isEqualTo(Duration.ofSeconds(20)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT601S"})
    void aStopThatTakesTooLongOrLessThanNothingIsRefused(Duration stopTimeout) {
        assertThatExceptionOfType(StartRefusedException.class)
                .isThrownBy(() -> new WatchProperties("node-a", null, null, true, stopTimeout))
                .withMessage("watch.stop-timeout is '" + stopTimeout + "': must be from 0s to 10m");
    }
}
