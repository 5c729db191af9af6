package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;

/** ShedLock's own tests of a provider whose locks can be extended, its fuzz test among them. */
class PublishedTestsTest extends AbstractExtensibleLockProviderIntegrationTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final LockRows rows = new LockRows(database);
    private final Leases leases = Leases.on(database.dataSource()).ttl(ttl()).build();
    private final LeaseholdLockProvider provider = LeaseholdLockProvider.on(leases);

    /** Longer than all of it lasts. */
    Duration ttl() {
        return Duration.ofMinutes(2);
    }

    @AfterEach
    void close() {
        leases.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return provider;
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(rows.isLocked(name)).isTrue();
    }

    @Override
    protected void assertUnlocked(String name) {
        assertThat(rows.isLocked(name)).isFalse();
    }
}
