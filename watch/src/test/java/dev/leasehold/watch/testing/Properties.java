package dev.leasehold.watch.testing;

import java.util.Map;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Binds properties as the service does at its start. */
public final class Properties {

    private Properties() {}

    public static <T> T bound(String prefix, Class<T> type, Map<String, String> given) {
        return new Binder(new MapConfigurationPropertySource(given)).bindOrCreate(prefix, type);
    }

    /** What a start with this one property says as the reason why it refuses to start. */
    public static String refusal(String prefix, Class<?> type, String name, String value) {
        try {
            bound(prefix, type, Map.of(prefix + "." + name, value));
        } catch (BindException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return String.valueOf(cause.getMessage());
        }
        return "taken";
    }
}
