package dev.leasehold.watch;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** One instance of the monitoring service. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class WatchApplication {

    public static void main(String[] args) {
        SpringApplication.run(WatchApplication.class, args);
    }
}
