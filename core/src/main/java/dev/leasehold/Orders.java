package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what operators order: repeats what meets a locked row, for a while. Thread-safe. */
final class Orders {

    private static final Logger log = LoggerFactory.getLogger(Orders.class);
    private static final int LONGEST_REASON = 500;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final OrderTable table;

    Orders(OrderTable table) {
        this.table = table;
    }

    List<String> makeDue(String name) {
        LeaseName.check(name);
        var due = new LinkedHashSet<String>();
        boolean unused = change("round " + name, "made due", () -> {
            due.addAll(table.makeDue(name, due));
            return table.isOneLeft(name, due) ? Optional.empty() : Optional.of(true);
        });
        if (due.isEmpty()) {
            log.info("round {} was not made due: it is held at this moment, or has no row yet", name);
        } else {
            log.info("round {} was made due: {}", name, due);
        }
        return List.copyOf(due);
    }

    boolean pause(String name, String reason) {
        LeaseName.check(name);
        checkReason("a pause", reason);
        boolean wasPaused = change("round " + name, "paused", () -> {
            Optional<Boolean> hasNodes = table.pauseFirst(name, reason);
            if (hasNodes.isPresent()) {
                warnOfUnknown(name, hasNodes.get());
                return Optional.of(false);
            }
            return table.pause(name, reason);
        });
        log.info("round {} is paused: {}", name, inALine(reason));
        return !wasPaused;
    }

    boolean resume(String name) {
        LeaseName.check(name);
        boolean wasPaused = change("round " + name, "resumed", () -> {
            Optional<Boolean> answer = table.pause(name, "");
            return answer.isEmpty() && !table.hasRow(name) ? Optional.of(false) : answer;
        });
        if (wasPaused) {
            log.info("round {} is resumed", name);
        }
        return wasPaused;
    }

    /** A pause may come before the first start, and may have been meant for another name. */
    private static void warnOfUnknown(String name, boolean hasNodes) {
        if (!hasNodes) {
            log.warn("no round {} has been here yet: it is paused from its first start on", name);
        }
    }

    /** Ends just the lease that is found at the beginning, not one that follows it while its row is locked. */
    Optional<ForcedRelease> releaseByForce(String name, String reason) {
        return releaseByForce(name, key -> true, reason);
    }

    /** Only the one with that fence. */
    Optional<ForcedRelease> releaseByForce(String name, long fence, String reason) {
        return releaseByForce(name, key -> key.fence() == fence, reason);
    }

    private Optional<ForcedRelease> releaseByForce(String name, Predicate<LeaseKey> isMeant, String reason) {
        LeaseName.check(name);
        checkReason("a forced release", reason);
        Optional<LeaseKey> found = unreleased(name).filter(isMeant);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        LeaseKey key = found.get();
        boolean ended = change("lease " + name, "released by force", () -> {
            if (table.releaseByForce(key)) {
                return Optional.of(true);
            }
            boolean isLocked = table.unreleased(name).filter(key::equals).isPresent();
            return isLocked ? Optional.empty() : Optional.of(false);
        });
        if (!ended) {
            return Optional.empty();
        }
        log.warn(
                "lease {} of {} (fence {}) is released by force: {}", name, key.holder(), key.fence(), inALine(reason));
        return Optional.of(new ForcedRelease(key.holder(), key.fence()));
    }

    private Optional<LeaseKey> unreleased(String name) {
        try {
            return table.unreleased(name);
        } catch (SQLException e) {
            throw failed("lease " + name, "released by force", e);
        }
    }

    private static void checkReason(String what, String reason) {
        int characters = reason.codePointCount(0, reason.length());
        if (reason.isBlank() || characters > LONGEST_REASON || reason.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "the reason of " + what + " is " + LeaseName.shown(reason.replace("\0", "\\0"))
                            + ", but must have 1 to " + LONGEST_REASON + " characters, not blank, without U+0000");
        }
    }

    /** A reason may come over the network, and must not look like a line of the log's own. */
    private static String inALine(String reason) {
        return reason.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", " ");
    }

    private interface Change {
        Optional<Boolean> tried() throws SQLException;
    }

    private static boolean change(String what, String done, Change change) {
        long start = System.nanoTime();
        while (true) {
            try {
                Optional<Boolean> answer = change.tried();
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (SQLException e) {
                throw failed(what, done, e);
            }
            if (System.nanoTime() - start > LONGEST.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new LeaseException(what + " could not be " + done + ": another transaction has its row locked");
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static LeaseException failed(String what, String done, SQLException e) {
        return new LeaseException(what + " could not be " + done + ": " + e.getMessage() + Hint.of(e), e);
    }
}
