package dev.leasehold.watch;

import dev.leasehold.watch.values.HttpUrl;
import dev.leasehold.watch.values.InvalidValueException;
import dev.leasehold.watch.values.StartRefusedException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What every feature of an instance may know of its configuration. {@code application.yaml} has the defaults.
 *
 * @param node the machine this instance runs on; instances of one node share its node-scoped rounds
 * @param monitorsFile the YAML file that names monitors and domains; none if null
 * @param advertisedUrl where others reach this instance; the address it listens on if null
 * @param runRounds whether this instance takes part in the work; if not, it only serves pages. {@code leasehold.rounds.enabled}
 *     is set to it; bound here so that a wrong value is told by this name
 * @param stopTimeout how long a stop waits for rounds that run; {@code leasehold.rounds.stop-timeout} is set to it, within the
 *     limits of here; null if it is set to nothing, which is the default of that one
 */
@ConfigurationProperties("watch")
public record WatchProperties(
        String node,
        @Nullable Path monitorsFile,
        @Nullable URI advertisedUrl,
        boolean runRounds,
        @Nullable Duration stopTimeout) {

    private static final Duration LONGEST_STOP = Duration.ofMinutes(10);
    private static final Pattern NODE = Pattern.compile("[A-Za-z0-9._-]{1,255}");

    public WatchProperties {
        if (!NODE.matcher(node).matches()) {
            throw refused("node", node, "must be 1 to 255 letters, digits, dots, hyphens or underscores");
        }
        if (stopTimeout != null && (stopTimeout.isNegative() || stopTimeout.compareTo(LONGEST_STOP) > 0)) {
            throw refused("stop-timeout", stopTimeout, "must be from 0s to 10m");
        }
        if (advertisedUrl != null) {
            try {
                HttpUrl.parse("watch.advertised-url", advertisedUrl.toString());
            } catch (InvalidValueException e) {
                throw new StartRefusedException(e.getMessage(), e);
            }
        }
    }

    private static StartRefusedException refused(String property, Object value, String rule) {
        return new StartRefusedException("watch." + property + " is '" + value + "': " + rule);
    }
}
