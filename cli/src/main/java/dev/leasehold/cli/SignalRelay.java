package dev.leasehold.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
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
    private final BooleanSupplier isAtTerminal;
    /** Those that came before the command had begun; each once, as the system keeps them for a process. */
    private final Set<Caught> early = new LinkedHashSet<>();

    private @Nullable Child child;
    private boolean isToldToEnd;

    /** @param isAtTerminal whether the command gets Ctrl-C from a terminal too */
    SignalRelay(Thread worker, BooleanSupplier isAtTerminal) {
        this.worker = worker;
        this.isAtTerminal = isAtTerminal;
    }

    /** From now on; this thread is the one that waits. */
    static SignalRelay install() {
        var relay = new SignalRelay(Thread.currentThread(), Foreground::isOurs);
        ENDING.forEach(relay::handle);
        OTHERS.forEach(relay::handle);
        return relay;
    }

    private void handle(String name) {
        ProcessSignals.handle(name, number -> caught(new Caught(name, number)));
    }

    synchronized void caught(Caught signal) {
        isToldToEnd |= ENDING.contains(signal.name());
        if (child == null) {
            early.add(signal);
            worker.interrupt();
        } else if (!signal.name().equals(FROM_THE_KEYBOARD) || !isAtTerminal.getAsBoolean()) {
            // A terminal sends Ctrl-C to the command too, which would take a second one for impatience.
            child.signal(signal.name());
        }
    }

    /** The first signal that came before the command had begun. */
    synchronized Optional<Caught> caught() {
        return early.stream().findFirst();
    }

    /**
     * The command has begun: it gets the signals from now on, this thread none any more. It gets those too that came before, also
     * from a terminal, for it was not there to get them: better twice, in the moment between its start and this call, than never.
     */
    synchronized void passTo(Child started) {
        child = started;
        Thread.interrupted();
        early.forEach(signal -> started.signal(signal.name()));
    }

    /** Whether a signal has come that is meant to end what runs. */
    synchronized boolean isToldToEnd() {
        return isToldToEnd;
    }
}
