package dev.leasehold.spring.exclusive;

import dev.leasehold.Leases;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** The leases of the application, if it has not turned them off. Asked for late: a post-processor comes before them. */
final class LeasesIfAny {

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private volatile @Nullable Leases found;

    LeasesIfAny(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * Empty if the property {@code leasehold.enabled} is false.
     *
     * @throws IllegalStateException if there are none for another reason
     */
    Optional<Leases> get() {
        Leases leases = found;
        if (leases == null) {
            leases = beans.getBeanProvider(Leases.class).getIfAvailable();
            found = leases;
        }
        if (leases == null && isEnabled()) {
            throw new IllegalStateException(
                    "there are methods with @Exclusive, but no leases, for there is no DataSource bean:"
                            + " define one, or set leasehold.enabled=false to run them on every instance");
        }
        return Optional.ofNullable(leases);
    }

    private boolean isEnabled() {
        return environment.getProperty("leasehold.enabled", Boolean.class, true);
    }
}
