package dev.leasehold.watch.sweep;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Scope;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the round {@code sweep}: once a slot in the whole cluster. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SweepProperties.class)
class SweepConfiguration {

    @Bean
    Round sweepRound(SweepProperties properties, JdbcClient jdbc, TransactionTemplate transactions) {
        var store = new SweepStore(jdbc, transactions, properties);
        SweepJob job = new SweepJob(store, properties.batchSize(), properties.budget());
        return Round.named("sweep")
                .every(properties.period())
                .scope(Scope.CLUSTER)
                .work(context -> job.run(context::isHeld));
    }
}
