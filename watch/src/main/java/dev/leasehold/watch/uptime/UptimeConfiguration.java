package dev.leasehold.watch.uptime;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Scope;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.xbill.DNS.ExtendedResolver;

/** Wires the round {@code uptime}: once a slot on each node. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(UptimeProperties.class)
class UptimeConfiguration {

    @Bean
    HttpCheck httpCheck(UptimeProperties properties) {
        return new HttpCheck(properties.bodyLimit().toBytes(), ExtendedResolver::new, Routes::ofThisNode);
    }

    @Bean
    Round uptimeRound(
            UptimeProperties properties, @Value("${watch.node}") String node, JdbcClient jdbc, HttpCheck httpCheck) {
        UptimeJob job = new UptimeJob(node, properties.parallelism(), new UptimeStore(jdbc), httpCheck);
        return Round.named("uptime")
                .every(properties.period())
                .scope(Scope.NODE)
                .work(context -> job.run(context.slot()));
    }
}
