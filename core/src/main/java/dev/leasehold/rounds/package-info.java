/**
 * Rounds: periodic work on leases, with one counted run per slot in the whole cluster, or on each node.
 *
 * <h2>Slots</h2>
 *
 * <p>A round's {@link dev.leasehold.Schedule} says at which instants it falls due. Most lie on a fixed grid by the database's
 * clock: {@code slot(t) = offset + floor((t - offset) / period) * period}, from 1970-01-01T00:00Z, in whole microseconds. A
 * round on a grid is due when its own slot lies more than half a period after the last counted one, or none was ever counted,
 * or the last counted one lies more than a period ahead, because a clock was wrong. Of a schedule of instants, as of a cron
 * expression, the slot is the last instant that has come; it is due when it lies after the last counted one, and so is a
 * counted one beyond the next instant. A new round on a grid runs at once, one of instants waits for its next one.
 *
 * <p>This is decided inside the acquire statement, on the locked row; so it does not matter who asks, how late, or how often.
 * Instances with different periods or offsets, as in the middle of a deploy, run it hardly more often than the shortest period
 * says, with no gap under half of that. When the database's clock is set back, slots that it really shows again may run again,
 * once each. What rests after a failure then rests no more; but the lease of a holder that dies just then, before it has renewed
 * it, ends only when the clock shows its end again.
 *
 * <p>Slots that pass while nobody is there, or while a run takes longer than the period, are skipped, not owed: there is one
 * late run. Who finds the lease of a due slot held looks again in the slot's second half (of a period over a minute, in its last
 * half minute), for the run that holds it may have begun for a slot before, or end uncounted. Runs of one round never overlap
 * while the lease is trusted.
 *
 * <h2>What a run counts as</h2>
 *
 * <table>
 * <caption>The promises, by name</caption>
 * <tr><th>{@link dev.leasehold.rounds.Promise}</th><th>its slot is counted</th><th>a holder that dies in mid-run</th></tr>
 * <tr><td>at least once (default)</td><td>by the release at the end, which waits for the disk</td><td>the slot is due again as
 * soon as the lease has run out</td></tr>
 * <tr><td>at most once</td><td>by the acquisition</td><td>the slot is skipped</td></tr>
 * <tr><td>exactly once, for effects in the leases' database</td><td>by {@code finish} in the transaction that has the
 * effects</td><td>due again, and nothing of the dead run is visible</td></tr>
 * </table>
 *
 * <p>What follows a run's end:
 *
 * <table>
 * <caption>The ends of a run</caption>
 * <tr><th>{@link dev.leasehold.rounds.RoundOutcome}</th><th>the slot</th></tr>
 * <tr><td>done, be it later than its time-out</td><td>counts</td></tr>
 * <tr><td>failed, for the work has released the lease itself</td><td>counts if it was released as done</td></tr>
 * <tr><td>failed otherwise, timed out</td><td>counts; with {@code retryAfter}, and always with exactly once, it rests for a while
 * without a stamp, no longer than to the next slot, and is due again</td></tr>
 * <tr><td>stopped by an interrupt of {@code stop}</td><td>stays due, and others may run it at once</td></tr>
 * <tr><td>lost its lease, or gave up because it could not know that it holds it</td><td>is the business of who has the lease
 * now; it stays due if nobody has</td></tr>
 * <tr><td>died</td><td>as its promise says</td></tr>
 * <tr><td>given up: as many holders in a row have died as the death limit says</td><td>counts as failed, without a
 * run</td></tr>
 * </table>
 *
 * <p>A slot that was counted when its run began (at most once) stays counted whatever follows. A run that was never begun
 * because the instance stops gives its slot back; but with at most once the slot stays counted if the stop interrupts the look
 * whose answer would have told that the lease is acquired. An extra run ({@link dev.leasehold.rounds.Rounds#runNow}) needs no due slot
 * and counts none; it is begun while a failed slot rests too, for nobody holds that, and the slot is due after it.
 * {@link dev.leasehold.Leases#makeDue} asks for a run on any instance, {@link dev.leasehold.Leases#pause} keeps a round from beginning anywhere.
 *
 * <p>Every end of a run waits for the disk, so that a crash of the database neither runs its slot again nor takes its holder for
 * dead.
 *
 * <p>A {@link dev.leasehold.RunHistory}, if there is one, has a row for each run, whatever came of it: that of a dead holder
 * is written by whoever takes over for a slot, and learns of it. No round waits for it for long, and none fails by it.
 *
 * <h2>What it costs</h2>
 *
 * <p>Who loses learns from the refusal when the next chance comes: when the holder's lease would end, or at the next slot. An
 * instance that has no run to make sends one small statement a slot, and one a minute if the period is longer, which writes
 * nothing: 360 an hour for a period of ten seconds, 60 for one of an hour. While the run of another is under way there is one
 * more in the second half of the slot, and one whenever the other's lease would run out if it were not renewed, which is more
 * often only where that is shorter than the period and a minute. A run costs an acquisition and a release, and its
 * share of the one renewal statement of the instance. Looks of several rounds at the same moment are one statement.
 */
@NullMarked
package dev.leasehold.rounds;

import org.jspecify.annotations.NullMarked;
