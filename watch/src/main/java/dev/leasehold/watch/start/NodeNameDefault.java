package dev.leasehold.watch.start;

import dev.leasehold.watch.values.HostName;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Makes the host name the default of {@code watch.node}, early enough for the log lines to carry it. */
final class NodeNameDefault implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String node = environment.getProperty("watch.node", "");
        if (node.isBlank()) {
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource(
                            "hostName", Map.of("watch.node", HostName.get().replaceAll("[^A-Za-z0-9._-]", "-"))));
        }
    }
}
