package dev.leasehold.spring.rounds;

import dev.leasehold.rounds.Round;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Tells of the rounds of an application that has turned its leases off: they run on no instance. */
final class TurnedOffRounds implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(TurnedOffRounds.class);

    private final ConfigurableListableBeanFactory beans;

    TurnedOffRounds(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** None is made: what it needs may be missing too. */
    @Override
    public void afterSingletonsInstantiated() {
        List<String> rounds = Stream.concat(
                        RoundMethods.described(beans).stream(),
                        Stream.of(beans.getBeanNamesForType(Round.class, true, false)))
                .sorted()
                .toList();
        if (!rounds.isEmpty()) {
            log.warn("leasehold.enabled is false: rounds {} do not run", rounds);
        }
    }
}
