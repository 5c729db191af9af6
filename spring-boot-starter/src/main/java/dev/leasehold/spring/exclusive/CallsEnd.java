package dev.leasehold.spring.exclusive;

import org.springframework.context.SmartLifecycle;

/**
 * Has a phase of the application's stop wait for the exclusive calls that run when it begins, as long as phases may last. Leases
 * and pools are closed after all phases. Thread-safe.
 */
final class CallsEnd implements SmartLifecycle {

    /** The web server's phases, and those of message listeners, come between this one and the schedulers'. */
    static final int LATE_PHASE = DEFAULT_PHASE - 4096;

    private final RunningCalls calls;
    private final int phase;
    private volatile boolean isRunning;

    CallsEnd(RunningCalls calls, int phase) {
        this.calls = calls;
        this.phase = phase;
    }

    @Override
    public void start() {
        calls.start();
        isRunning = true;
    }

    @Override
    public void stop(Runnable callback) {
        isRunning = false;
        calls.stop(callback);
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
