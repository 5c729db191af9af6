package dev.leasehold.watch.nodes;

import dev.leasehold.spring.database.DatabaseFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Beats this instance's row from the moment the web server listens until the rounds have stopped, then takes the row
 * away. No failure ends the loop.
 */
@Component
final class Heartbeat implements SmartLifecycle {

    /** After the web server at the start, before it at the stop; the rounds start later and stop earlier. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
    private static final Duration LEAVING = Duration.ofSeconds(2);

    private final Instances instances;
    private final ThisInstance instance;
    private final Duration period;
    private @Nullable Beating beating;

    @Autowired
    Heartbeat(Instances instances, ThisInstance instance) {
        this(instances, instance, Duration.ofSeconds(5));
    }

    Heartbeat(Instances instances, ThisInstance instance, Duration period) {
        this.instances = instances;
        this.instance = instance;
        this.period = period;
    }

    @Override
    public synchronized void start() {
        if (beating == null) {
            beating = new Beating();
            beating.start();
        }
    }

    /** Waits a moment for the row to go; without a database it stays, and is soon seen to be gone. */
    @Override
    public synchronized void stop() {
        if (beating != null) {
            beating.end();
            beating = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return beating != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private final class Beating extends Thread {

        private final CountDownLatch ended = new CountDownLatch(1);
        private boolean failing;

        Beating() {
            super("watch-heartbeat");
            setDaemon(true);
        }

        @Override
        public void run() {
            boolean goOn = true;
            while (goOn) {
                tryBeat();
                try {
                    goOn = !ended.await(period.toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    log.debug("the heartbeat only ends with the instance", e);
                }
            }
            tryLeave();
        }

        private void tryBeat() {
            try {
                instances.beat(instance);
                if (failing) {
                    failing = false;
                    log.info("this instance's row is beaten again");
                }
            } catch (Throwable e) {
                // one line for the first of many
                if (!failing) {
                    failing = true;
                    log.warn("no beat, others will hold this instance for gone: {}", DatabaseFailure.reason(e));
                }
            }
        }

        private void tryLeave() {
            try {
                instances.leave(instance);
            } catch (RuntimeException e) {
                log.warn("this instance's row stays: {}", DatabaseFailure.reason(e));
            }
        }

        void end() {
            ended.countDown();
            try {
                join(LEAVING.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
