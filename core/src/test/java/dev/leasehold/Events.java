package dev.leasehold;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what it is told, but for what a slow machine may add: failed and late renewals. */
class Events implements LeaseListener {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    final List<String> seen() {
        return List.copyOf(seen);
    }

    void add(String event) {
        seen.add(event);
    }

    @Override
    public void gained(Lease lease) {
        add("gained");
    }

    @Override
    public void renewalFailed(Lease lease, Duration timeLeft) {}

    @Override
    public void unconfirmed(Lease lease) {
        add("unconfirmed");
    }

    @Override
    public void reconfirmed(Lease lease) {
        add("reconfirmed");
    }

    @Override
    public void lost(Lease lease, LossReason reason) {
        add("lost " + reason);
    }

    @Override
    public void released(Lease lease) {
        add("released");
    }
}
