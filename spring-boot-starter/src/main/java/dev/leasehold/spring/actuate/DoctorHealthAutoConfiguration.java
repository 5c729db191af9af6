package dev.leasehold.spring.actuate;

import dev.leasehold.doctor.Doctor;
import dev.leasehold.spring.InvalidPropertyException;
import dev.leasehold.spring.LeaseDataSource;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.LeaseholdProperties;
import dev.leasehold.spring.database.DefaultTarget;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Gives the health indicator {@code doctor} with {@code management.health.doctor.enabled=true}; off by default, for it judges
 * the whole server and not this application alone. It looks at the {@link DataSource} of the leases, or without leases at the
 * application's only or primary one. It is part of the whole health, and of no probe: no restart cures a database.
 */
@AutoConfiguration(
        after = LeaseholdAutoConfiguration.class,
        afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(DataSource.class)
@ConditionalOnBooleanProperty("management.health.doctor.enabled")
@EnableConfigurationProperties({DoctorProperties.class, LeaseholdProperties.class})
public final class DoctorHealthAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DoctorHealthAutoConfiguration.class);

    /** An application without leases has it as its property too. */
    private static final String DEFAULT_TABLE = "leases";

    /** Longer than a pool lets others wait and a look takes, both at their worst. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    DoctorHealthAutoConfiguration() {}

    /** Null, which is no bean, if it is not clear what to look at, or it cannot be looked at on a thread of its own. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(name = "doctorHealthIndicator")
    static @Nullable DoctorHealthIndicator doctorHealthIndicator(
            DoctorProperties properties,
            LeaseholdProperties leases,
            ObjectProvider<LeaseDataSource> leaseDataSource,
            ObjectProvider<DataSource> dataSources) {
        DataSource dataSource = Optional.ofNullable(leaseDataSource.getIfAvailable())
                .map(LeaseDataSource::dataSource)
                .or(() -> Optional.ofNullable(dataSources.getIfUnique()).flatMap(DefaultTarget::of))
                .orElse(null);
        if (dataSource == null) {
            log.warn(
                    "no health indicator doctor: there are several DataSource beans and none is primary, or it routes by"
                            + " the calling thread, without a default target");
            return null;
        }
        Doctor doctor = doctor(dataSource, properties, leases.table());
        return new DoctorHealthIndicator(new DoctorLooks(doctor::look, properties.every(), PATIENCE));
    }

    private static Doctor doctor(DataSource dataSource, DoctorProperties properties, String table) {
        Doctor doctor = Doctor.on(dataSource);
        try {
            if (!table.equals(DEFAULT_TABLE)) {
                doctor = doctor.withTable(table); // which is expected to be there then
            }
        } catch (IllegalArgumentException e) {
            throw invalid("leasehold.table", e);
        }
        try {
            doctor = doctor.withLongTransaction(properties.longTransaction());
        } catch (IllegalArgumentException e) {
            throw invalid("leasehold.doctor.long-transaction", e);
        }
        try {
            return properties.budget() == null ? doctor : doctor.withBudget(properties.budget());
        } catch (IllegalArgumentException e) {
            throw invalid("leasehold.doctor.budget", e);
        }
    }

    private static InvalidPropertyException invalid(String property, IllegalArgumentException e) {
        return new InvalidPropertyException(
                "the property " + property + " does not fit: " + e.getMessage(), "Change " + property + ".", e);
    }
}
