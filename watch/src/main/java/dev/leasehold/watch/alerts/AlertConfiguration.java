package dev.leasehold.watch.alerts;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundContext;
import dev.leasehold.rounds.Scope;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the round {@code alerts}: once a slot in the whole cluster. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AlertProperties.class)
class AlertConfiguration {

    @Bean
    Round alertRound(AlertProperties properties, JdbcClient jdbc, TransactionTemplate transactions) {
        AlertJob job = job(properties, jdbc, transactions);
        return Round.named("alerts")
                .every(properties.period())
                .scope(Scope.CLUSTER)
                .work((RoundContext context) -> job.run(context::isHeld));
    }

    static AlertJob job(AlertProperties properties, JdbcClient jdbc, TransactionTemplate transactions) {
        var store = new AlertStore(jdbc, transactions, properties.webhookUrl() != null);
        var delivery = new Delivery(
                new Outbox(jdbc, properties.webhookUrl()),
                new Webhook(properties.webhookTimeout()),
                new BackOff(properties.retryFirst(), properties.retryMost()),
                properties.webhooksAtOnce(),
                System::nanoTime);
        return new AlertJob(store, delivery, properties.freshFor());
    }
}
