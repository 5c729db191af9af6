package dev.leasehold.watch.uptime;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Scope;
import dev.leasehold.watch.WatchProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires the round {@code uptime}: once a slot on each node. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(UptimeProperties.class)
class UptimeConfiguration {

    @Bean
    HttpCheck httpCheck(UptimeProperties properties) {
        return new HttpCheck(
                properties.bodyLimit().toBytes(), Platform::ofThisNode, Dns::ofThisNode, Routes::ofThisNode);
    }

    @Bean
    Round uptimeRound(UptimeProperties properties, WatchProperties watch, JdbcClient jdbc, HttpCheck httpCheck) {
        UptimeJob job = new UptimeJob(watch.node(), properties.parallelism(), new UptimeStore(jdbc), httpCheck);
        return Round.named("uptime")
                .every(properties.period())
                .scope(Scope.NODE)
                .work(context -> job.run(context.slot()));
    }
}
