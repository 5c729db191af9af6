package dev.leasehold.cli;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes the signals that this process gets on to the command. Before that has begun they interrupt the thread that waits for the
 * lease. Thread-safe.
 *
 * <p>SIGQUIT is not among them: the JVM keeps it for itself.
 */
final class SignalRelay {

    /** One that this process got. */
    record Caught(String name, int number) {

        int exitCode() {
            return ExecCode.BY_SIGNAL + number;
        }
    }

    private static final String FROM_THE_KEYBOARD = "INT";
    private static final List<String> ENDING = List.of("TERM", FROM_THE_KEYBOARD, "HUP");
    private static final List<String> OTHERS = List.of("USR1", "USR2");

    private final Thread worker;
    private @Nullable Child child;
    private @Nullable Caught first;
    private boolean isToldToEnd;

    private SignalRelay(Thread worker) {
        this.worker = worker;
    }

    /** From now on; this thread is the one that waits. */
    static SignalRelay install() {
        var relay = new SignalRelay(Thread.currentThread());
        ENDING.forEach(relay::handle);
        OTHERS.forEach(relay::handle);
        return relay;
    }

    private void handle(String name) {
        ProcessSignals.handle(name, number -> caught(new Caught(name, number)));
    }

    private synchronized void caught(Caught signal) {
        isToldToEnd |= ENDING.contains(signal.name());
        if (child != null) {
            pass(signal, child);
        } else if (first == null) {
            first = signal;
            worker.interrupt();
        }
    }

    /** A terminal sends Ctrl-C to the command too, which would take a second one for impatience. */
    private static void pass(Caught signal, Child to) {
        if (!signal.name().equals(FROM_THE_KEYBOARD) || !Foreground.isOurs()) {
            to.signal(signal.name());
        }
    }

    /** The first signal that came before the command had begun. */
    synchronized Optional<Caught> caught() {
        return Optional.ofNullable(first);
    }

    /** The command has begun: it gets the signals from now on, and one that has come just before; this thread none any more. */
    synchronized void passTo(Child started) {
        child = started;
        Thread.interrupted();
        if (first != null) {
            pass(first, started);
        }
    }

    /** Whether a signal has come that is meant to end what runs. */
    synchronized boolean isToldToEnd() {
        return isToldToEnd;
    }
}
