package dev.leasehold.rounds;

import dev.leasehold.LeaseException;
import dev.leasehold.internal.OnceAMinute;
import dev.leasehold.internal.SafeLog;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of looks that fail: once a minute for all rounds of an instance, for when the database is away they all fail, for as
 * long as it is. Thread-safe.
 */
final class LookLog {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    private final OnceAMinute warnings = new OnceAMinute();
    private final Set<String> failing = new HashSet<>();
    private long untold;
    private long sinceWell;
    private boolean isTold;
    private boolean isEndTold;

    /**
     * That the database is away is worth a line.
     *
     * @param next what follows
     */
    synchronized void failed(String leaseName, String next, LeaseException e) {
        failing.add(leaseName);
        sinceWell++;
        if (!warnings.isTime()) {
            untold++;
            log.debug("round {} could not look whether it is due, {}: {}", leaseName, next, e.getMessage());
            return;
        }
        log.warn(
                "round {} could not look whether it is due, {}{}: {}",
                leaseName,
                next,
                untold == 0 ? "" : " (and " + untold + " more looks of this instance since the last warning)",
                e.getMessage());
        isTold = true;
        untold = 0;
    }

    synchronized void wentWell(String leaseName) {
        if (!failing.remove(leaseName) || !failing.isEmpty()) {
            return;
        }
        if (isTold) {
            SafeLog.tell(() ->
                    log.info("all rounds can look again whether they are due, after {} looks that failed", sinceWell));
        }
        isTold = false;
        sinceWell = 0;
        untold = 0;
    }

    /** For all rounds at once. */
    synchronized void leasesAreClosed() {
        if (!isEndTold) {
            log.warn("the leases are closed: the rounds on them end, though nobody has stopped them");
        }
        isEndTold = true;
    }
}
