package dev.leasehold.spring.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;

/** Who leads, as the candidates are told: from the call that grants to the call that revokes. Thread-safe. */
final class Leadership {

    private final List<String> leaders = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private int most;

    private synchronized void granted(String name) {
        leaders.add(name);
        events.add(name + " granted");
        most = Math.max(most, leaders.size());
    }

    private synchronized void revoked(String name) {
        leaders.remove(name);
        events.add(name + " revoked");
    }

    synchronized boolean leads(String name) {
        return leaders.contains(name);
    }

    /** In their order. */
    synchronized List<String> events() {
        return List.copyOf(events);
    }

    /** How many have led at the same time. */
    synchronized int most() {
        return most;
    }

    /**
     * A candidate whose calls are seen here.
     *
     * @param leadsOnItsThread whether it leads in the call that grants, until it is interrupted
     */
    Told candidate(String name, boolean leadsOnItsThread) {
        return new Told(name, leadsOnItsThread);
    }

    final class Told extends AbstractCandidate {

        private final boolean leadsOnItsThread;

        private Told(String name, boolean leadsOnItsThread) {
            super(name, "leader");
            this.leadsOnItsThread = leadsOnItsThread;
        }

        @Override
        public void onGranted(Context context) throws InterruptedException {
            granted(getId());
            if (leadsOnItsThread) {
                new CountDownLatch(1).await();
            }
        }

        @Override
        public void onRevoked(Context context) {
            revoked(getId());
        }
    }
}
