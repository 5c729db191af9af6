package dev.leasehold.watch.start;

import dev.leasehold.watch.values.StartRefusedException;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Refuses to start without the URL of a PostgreSQL database, before anything else is built. */
final class DatabaseUrlCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final String PREFIX = "jdbc:postgresql:";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        String url = context.getEnvironment().getProperty(DatabaseUrl.PROPERTY, "");
        if (url.isBlank()) {
            throw new StartRefusedException(
                    DatabaseUrl.PROPERTY
                            + " is not set: an instance needs a database, for example jdbc:postgresql://localhost:5432/leasehold");
        }
        if (!url.startsWith(PREFIX)) {
            throw new StartRefusedException(
                    DatabaseUrl.PROPERTY + " is '" + DatabaseUrl.shown(url) + "': must begin with " + PREFIX);
        }
    }
}
