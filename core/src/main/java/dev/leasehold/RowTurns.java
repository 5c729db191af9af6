package dev.leasehold;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Who of this process may lock the row of one lease next: its renewal, its fences, its extension or its finish. A row lock that is
 * shared lets further sharers in past a renewal that waits, and two transactions that share it and both want to change the row
 * wait for each other. Thread-safe.
 */
final class RowTurns {

    private boolean renewalWaits;
    private boolean renewalHasConnection;
    private boolean isFinishing;
    private boolean isFinished;
    private boolean isCommitted;
    private boolean isReleaseUnanswered;
    private boolean isExtending;

    synchronized void renewalWaits(boolean waits) {
        renewalWaits = waits;
        renewalHasConnection = false;
        notifyAll();
    }

    /** The renewal that stands in line is about to be sent. */
    synchronized void renewalHasConnection() {
        renewalHasConnection = true;
        notifyAll();
    }

    /**
     * Before a fence: waits while the renewal stands in line, no longer than the limit; an interrupt ends the wait.
     *
     * @param withoutConnection the limit while the renewal has none: who waits here may have the one that it waits for
     */
    synchronized void letRenewalPass(Duration limit, Duration withoutConnection) {
        long start = System.nanoTime();
        try {
            while (renewalWaits) {
                Duration longest = renewalHasConnection ? limit : withoutConnection;
                long left = longest.toNanos() - (System.nanoTime() - start);
                if (left <= 0) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False while another transaction is at it. */
    synchronized boolean beginFinish() {
        if (isFinishing) {
            return false;
        }
        isFinishing = true;
        return true;
    }

    /**
     * Waits for its turn, no longer than the limit: the answers to two extensions could be taken in another order than the row
     * was changed. False if it got none, also because of an interrupt, whose flag is kept.
     */
    synchronized boolean beginExtension(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            for (long left = limit.toNanos(); isExtending && left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean isMine = !isExtending;
        isExtending = true;
        return isMine;
    }

    synchronized void endExtension() {
        isExtending = false;
        notifyAll();
    }

    synchronized void endFinish(boolean done) {
        isFinishing = false;
        isFinished |= done;
    }

    /** A transaction has released the row; it may be committed or rolled back since, or still be open. */
    synchronized boolean isFinished() {
        return isFinished;
    }

    /** The transaction that released the row was committed. */
    synchronized void committed() {
        isCommitted = true;
    }

    synchronized boolean isCommitted() {
        return isCommitted;
    }

    /** A release was sent, and may have got through. */
    synchronized void releaseIsUnanswered() {
        isReleaseUnanswered = true;
    }

    synchronized boolean isReleaseUnanswered() {
        return isReleaseUnanswered;
    }
}
