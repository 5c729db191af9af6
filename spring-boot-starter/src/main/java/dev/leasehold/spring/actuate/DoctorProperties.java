package dev.leasehold.spring.actuate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.doctor.*}, of the health indicator {@code doctor}.
 *
 * @param every how often it looks at the database at most, however often it is asked: 1 s or more
 * @param budget how many connections the applications are meant to need at most; not judged if not set
 * @param longTransaction the age from which an open transaction is told; an idle one is told from a tenth of it
 */
@ConfigurationProperties("leasehold.doctor")
public record DoctorProperties(
        @DefaultValue("30s") Duration every,
        @Nullable Integer budget,
        @DefaultValue("5m") Duration longTransaction) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    public DoctorProperties {
        if (every.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("leasehold.doctor.every is " + every + ", but must be 1 s or more");
        }
    }
}
