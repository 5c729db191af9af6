package net.javacrumbs.shedlock.support;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;

/** The keep-alive of ShedLock for locks of less than half a minute: its constructor for those is hidden in this package. */
public final class ShortKeepAlive {

    private ShortKeepAlive() {}

    /** Extends the locks of that provider every half of their lockAtMostFor. */
    public static LockProvider of(ExtensibleLockProvider provider, ScheduledExecutorService executor) {
        return new KeepAliveLockProvider(provider, executor, Duration.ofMillis(1));
    }
}
