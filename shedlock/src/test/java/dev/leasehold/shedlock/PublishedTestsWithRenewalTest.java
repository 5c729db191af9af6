package dev.leasehold.shedlock;

import java.time.Duration;

/** The same with leases that are renewed meanwhile. */
class PublishedTestsWithRenewalTest extends PublishedTestsTest {

    @Override
    Duration ttl() {
        return Duration.ofSeconds(12);
    }
}
