/**
 * Rounds: periodic work on leases, with one counted run per slot in the whole cluster, or on each node.
 *
 * <p>Slots lie on a fixed grid by the database's clock: {@code slot(t) = offset + floor((t - offset) / period) * period}. A
 * round is due when its own slot lies more than half a period after the last counted one, or none was ever counted, or the
 * last counted one lies more than a period ahead, because a clock was wrong. This is decided inside the acquire statement, on
 * the locked row; so it does not matter who asks, how late, or how often.
 *
 * <p>The release at the end of a run stamps its slot as counted. A holder that dies in mid-round stamps nothing, so the slot
 * is due again as soon as the lease ends: at least once. Instances with
 * different periods or offsets, as in the middle of a deploy, run it hardly more often than the shortest period says.
 *
 * <p>Who loses learns from the refusal when the next chance comes: when the holder's lease would end, or at the next slot.
 * For an instance without a run to make, a round costs
 * one small statement a slot, or a minute if the period is longer.
 *
 * <p>A {@link dev.leasehold.RunHistory} tells of the runs, one row for each fence: a run and a counted slot are different things
 * there. It is written at the begin of a run, by the run itself at its end, and by its taker if it died. No round depends on it.
 */
@NullMarked
package dev.leasehold.rounds;

import org.jspecify.annotations.NullMarked;
