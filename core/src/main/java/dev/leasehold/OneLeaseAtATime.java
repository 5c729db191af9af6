package dev.leasehold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Passes events on such that each lease that was gained ends, as lost or released, before the next is gained, and nothing is
 * told of it after its end. A release whose outcome is not known by then counts as one: its holder trusts it no more. Called
 * by one thread.
 */
final class OneLeaseAtATime implements LeaseListener {

    private final LeaseListener told;
    private @Nullable Lease open;

    OneLeaseAtATime(LeaseListener told) {
        this.told = told;
    }

    @Override
    public void gained(Lease lease) {
        try {
            end();
        } finally {
            open = lease;
            told.gained(lease);
        }
    }

    @Override
    public void renewalFailed(Lease lease, Duration timeLeft) {
        if (isOpen(lease)) {
            told.renewalFailed(lease, timeLeft);
        }
    }

    @Override
    public void renewedLate(Lease lease, Duration late) {
        if (isOpen(lease)) {
            told.renewedLate(lease, late);
        }
    }

    @Override
    public void unconfirmed(Lease lease) {
        if (isOpen(lease)) {
            told.unconfirmed(lease);
        }
    }

    @Override
    public void reconfirmed(Lease lease) {
        if (isOpen(lease)) {
            told.reconfirmed(lease);
        }
    }

    @Override
    public void lost(Lease lease, LossReason reason) {
        if (isOpen(lease)) {
            open = null;
            told.lost(lease, reason);
        }
    }

    @Override
    public void released(Lease lease) {
        if (isOpen(lease)) {
            end();
        }
    }

    /** Nothing more will be known of the lease that has not ended yet. */
    static void end(LeaseListener listener) {
        if (listener instanceof OneLeaseAtATime one) {
            one.end();
        }
    }

    private void end() {
        Lease ended = open;
        open = null;
        if (ended != null) {
            told.released(ended);
        }
    }

    private boolean isOpen(Lease lease) {
        return lease.equals(open);
    }
}
