/**
 * Spring Integration's {@code LockRegistry} on leases: a lock has one owner in the whole cluster, and holding it costs no
 * connection.
 *
 * <p>Each outermost hold of a lock is one lease, of a holder of its own. In front of the lease stands a lock of this
 * process, which makes the hold reentrant and lets one thread at a time ask for the lease. The leases renew it until the
 * last unlock.
 *
 * <p>Once the own deadline of the lease has passed without a renewal, or the lease is lost, the owner
 *
 * <ul>
 *   <li>is interrupted, unless {@link dev.leasehold.LossPolicy#GO_ON} is asked for;
 *   <li>gets a {@link dev.leasehold.LeaseLostException} when it locks or tries to lock once more;
 *   <li>gets a {@link java.util.ConcurrentModificationException} from the last unlock.
 * </ul>
 *
 * <p>None of this asks the database or waits for a connection. Nobody else can acquire the lease for the margin yet. So under a
 * {@code LockRegistryLeaderInitiator}, which looks by trying to lock once more and unlocks before it revokes, the candidate
 * is told within the margin, also while the pool is empty.
 */
@NullMarked
package dev.leasehold.spring.integration;

import org.jspecify.annotations.NullMarked;
