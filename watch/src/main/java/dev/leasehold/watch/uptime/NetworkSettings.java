package dev.leasehold.watch.uptime;

import java.security.Security;
import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.context.ApplicationListener;

/**
 * Bounds what the JVM remembers of the network, before anything uses it: addresses and failed look-ups. Without that a
 * target that has moved would be asked at its old place.
 *
 * <p>Each check looks a name up twice, once itself and once in the HTTP client. So addresses are remembered for longer
 * than the time from one round to the next: otherwise they would be forgotten between the two again and again.
 *
 * <p>These settings are read once, at the JVM's first use of them, so they are made when the application starts, before
 * its first bean. A value of the operator's own on the command line ({@code -D}) stays.
 */
public final class NetworkSettings implements ApplicationListener<ApplicationStartingEvent> {

    @Override
    public void onApplicationEvent(ApplicationStartingEvent event) {
        apply();
    }

    static void apply() {
        security("networkaddress.cache.ttl", "30");
        security("networkaddress.cache.negative.ttl", "5");
    }

    private static void security(String name, String seconds) {
        Security.setProperty(name, System.getProperty(name, seconds));
    }
}
