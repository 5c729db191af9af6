package dev.leasehold.watch.mail;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Scope;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the round {@code mail}: once a slot in the whole cluster. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailProperties.class)
class MailConfiguration {

    @Bean
    Round mailRound(MailProperties properties, JdbcClient jdbc, TransactionTemplate transactions) {
        MailJob job = new MailJob(
                properties,
                new MailStore(jdbc, transactions),
                () -> DnsTxt.at(properties.server(), properties.timeout()));
        return Round.named("mail")
                .every(properties.period())
                .scope(Scope.CLUSTER)
                .work(context -> job.run(context::isHeld));
    }
}
