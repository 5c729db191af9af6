package dev.leasehold.launcher;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;

/**
 * The parts of a run, ended once, the last opened first.
 *
 * <p>A signal may come in the middle of a start. Opening and ending exclude each other, so a part that is being opened
 * when the end comes is finished, ended, and nothing is opened after it. Thread-safe.
 */
final class Lifecycle {

    private final Thread opener = Thread.currentThread();
    private final Deque<Part> opened = new ArrayDeque<>();
    private final Console console;
    private volatile boolean ending;

    Lifecycle(Console console) {
        this.console = console;
    }

    /** Ends everything when the JVM is asked to end: Ctrl-C, SIGTERM, a closed terminal. */
    void endOnSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::endAloud, "end"));
    }

    synchronized <T extends Part> T open(Callable<T> start) throws Exception {
        if (ending) {
            throw new CancellationException("the run is ending");
        }
        T part = start.call();
        opened.push(part);
        return part;
    }

    boolean isEnding() {
        return ending;
    }

    private void endAloud() {
        boolean first = !ending;
        ending = true;
        if (first) {
            console.show("\n"); // after the terminal's own ^C
            console.say("Ending; the nodes get up to " + Cluster.PATIENCE.toSeconds() + " s ...");
        }
        end();
        if (first) {
            console.say("All has ended.");
        }
    }

    /** Returns when all is ended, also to a second caller. */
    void end() {
        ending = true;
        if (Thread.currentThread() != opener) {
            opener.interrupt(); // a start that waits gives up at once
        }
        endAll();
    }

    private synchronized void endAll() {
        boolean interrupted = Thread.interrupted();
        while (!opened.isEmpty()) {
            try {
                opened.peek().end();
                opened.pop();
            } catch (InterruptedException e) {
                interrupted = true; // the interrupt was for the start; the end is taken up again
            } catch (Exception e) {
                opened.pop();
                console.shout("While ending: " + e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
