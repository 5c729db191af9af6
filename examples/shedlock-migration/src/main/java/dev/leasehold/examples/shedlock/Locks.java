package dev.leasehold.examples.shedlock;

import dev.leasehold.Leases;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where ShedLock keeps its locks. */
@Configuration
class Locks {

    @Bean
    LockProvider lockProvider(Leases leases) {
        return LeaseholdLockProvider.on(leases);
    }
}
