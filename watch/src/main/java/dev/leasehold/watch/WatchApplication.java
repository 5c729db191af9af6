package dev.leasehold.watch;

import dev.leasehold.watch.start.DatabaseUrlCheck;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** One instance of the monitoring service. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class WatchApplication {

    public static void main(String[] args) {
        var application = new SpringApplication(WatchApplication.class);
        application.addInitializers(new DatabaseUrlCheck());
        application.run(args);
    }
}
