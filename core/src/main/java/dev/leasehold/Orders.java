package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what operators order about rounds: repeats what meets a locked row, for a while. Thread-safe. */
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
        try {
            List<String> due = table.makeDue(name);
            log.info("{} was made due: {}", name, due);
            return due;
        } catch (SQLException e) {
            throw failed(name, "made due", e);
        }
    }

    boolean pause(String name, String reason) {
        LeaseName.check(name);
        int characters = reason.codePointCount(0, reason.length());
        if (reason.isBlank() || characters > LONGEST_REASON || reason.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the reason of a pause is \"" + reason.replace("\0", "\\0")
                    + "\", but must have 1 to " + LONGEST_REASON + " characters, not blank, without U+0000");
        }
        boolean wasPaused = change(name, "paused", () -> {
            Optional<Boolean> hasNodes = table.pauseFirst(name, reason);
            if (hasNodes.isPresent()) {
                warnOfUnknown(name, hasNodes.get());
                return Optional.of(false);
            }
            return table.pause(name, reason);
        });
        log.info("round {} is paused: {}", name, reason);
        return !wasPaused;
    }

    boolean resume(String name) {
        LeaseName.check(name);
        boolean wasPaused = change(name, "resumed", () -> {
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

    private interface Change {
        Optional<Boolean> tried() throws SQLException;
    }

    private static boolean change(String name, String done, Change change) {
        long start = System.nanoTime();
        while (true) {
            try {
                Optional<Boolean> answer = change.tried();
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (SQLException e) {
                throw failed(name, done, e);
            }
            if (System.nanoTime() - start > LONGEST.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new LeaseException(
                        "round " + name + " could not be " + done + ": another transaction has its row locked");
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static LeaseException failed(String name, String done, SQLException e) {
        return new LeaseException("round " + name + " could not be " + done + ": " + e.getMessage() + Hint.of(e), e);
    }
}
