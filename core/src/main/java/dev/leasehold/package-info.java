/**
 * Leases in a PostgreSQL table that hold no connection: a name has at most one holder at a time, for as long as the holder
 * renews, and a holder that dies loses the name by itself.
 *
 * <h2>Terms</h2>
 *
 * <p>A <em>lease</em> is the right to a name until it expires. Its <em>holder</em> is one acquisition, not one process: host
 * name, process id and 64 random bits, new each time. To <em>renew</em> is to move the expiry on; to <em>release</em> is to
 * end it before; to <em>take over</em> is to acquire what expired without a release. The <em>fence</em> is a number that
 * grows with every acquisition of the name.
 *
 * <h2>The protocol</h2>
 *
 * <p>One row a name. To acquire is one round trip: an update that locks the row only if it is free, by the database's
 * clock alone, and skips it if somebody else has it locked, and a look at the row. A refusal writes nothing and says who
 * holds the lease and for how long yet. What many threads ask at the same moment is one statement. All leases of a process
 * are renewed by one statement, every quarter of their life, matched by name, holder and fence. A released row stays, with
 * the epoch as its expiry. Each statement borrows a connection for a moment, on a thread of the library, in a short
 * transaction of its own at read committed, and is committed durably before an acquisition or a renewal is believed. Every
 * wait of these is bounded: for the pool, the socket and the server.
 *
 * <p>A row that another transaction has locked is not waited for, with five bounded exceptions: a fence, a finish, an extension,
 * the first insert of a name, and a held lease once half of its life is gone, which stands in line for its row. It holds a
 * transaction-level advisory lock of the name (of the hash of the name and the table's oid) meanwhile, and nobody takes over a row
 * that was not released without that lock, so nobody gets ahead of it. It waits for a ttl at most, on a connection of the pool, and
 * then stands in line again; so it does when a {@code statement_timeout} of the role or the database has ended its wait, which makes
 * for a moment without it each time.
 *
 * <h2>What a holder knows</h2>
 *
 * <pre>
 *   Held --own deadline passed--&gt; Unconfirmed --renewal confirmed, same holder and fence--&gt; Held
 *   Held, Unconfirmed --row gone, released or another's--&gt; Lost (final)
 *   Held, Unconfirmed --release--&gt; Released (final)
 * </pre>
 *
 * <p>The holder trusts its lease until its own deadline:
 *
 * <pre>
 *   own deadline = this machine's clocks, read before the request was sent + ttl - margin
 *   expiry       = the database's clock, read when the request arrived     + ttl
 * </pre>
 *
 * <p>The request is sent before it arrives, so the trust ends at least the margin before anybody can take over, however slow
 * the answer was. The two clocks are never compared; they need only run at about the same speed. The monotonic clock counts,
 * and the wall clock, which goes on through a suspend, can only shorten the trust.
 *
 * <p>{@link dev.leasehold.Lease#isHeld()} is that comparison. Losing a lease ends nothing by itself, unless the work was
 * started with {@link dev.leasehold.LossPolicy#INTERRUPT}: that interrupts it when the lease is lost or unconfirmed,
 * whichever is noticed first.
 *
 * <p>A lease may have a limit ({@link dev.leasehold.LeaseRequest#limit(java.time.Duration)}): neither the row's expiry nor the
 * holder's own deadline is moved beyond it by a renewal. It counts from the acquisition, by the database's clock, and the holder
 * counts it from before it sent the request, less the margin. {@link dev.leasehold.Lease#extend(java.time.Duration)} sets another
 * one: an earlier one ends the trust before it is sent, a later one counts when it is answered.
 *
 * <h2>Fenced transactions</h2>
 *
 * <p>For effects in the database of the leases, exclusivity can be exact. A <em>fence</em> locks the lease's row for
 * share, if it is still of this name, holder and fence and not released; until the transaction ends nobody takes the lease
 * over. As the last statement before the commit it makes sure that a stale holder commits nothing, however long it was
 * frozen. {@link dev.leasehold.Lease#runFenced(dev.leasehold.FencedWork)} does that, {@link
 * dev.leasehold.Lease#fence(java.sql.Connection)} is for transactions of one's own, and {@link
 * dev.leasehold.Lease#finish(java.sql.Connection)} releases the lease with the commit. They run on the caller's thread,
 * and take as long as the caller's work. For effects elsewhere, hand {@link dev.leasehold.Lease#fence()} to the resource,
 * which refuses a smaller one.
 *
 * <h2>Slots</h2>
 *
 * <p>{@link dev.leasehold.Leases#tryAcquireSlot(SlotRequest)} acquires a lease only if the slot of a {@link
 * dev.leasehold.Schedule} that now is, by the database's clock, had no counted run yet. {@link
 * dev.leasehold.Lease#releaseDone()} counts it, and so does a finish; {@link dev.leasehold.Lease#release()} and {@link
 * dev.leasehold.Lease#close()} do not, and leave it due. A plain lease of the same name excludes a slot's and is excluded by
 * it, and counts nothing. {@link dev.leasehold.rounds} runs work on slots.
 *
 * <h2>What is built on it</h2>
 *
 * <p>Who waits for a lease ({@link dev.leasehold.Leases#tryAcquire(String, java.time.Duration)}) asks when it would end, by
 * what the refusal said, and about once a second at least. Who holds on to one ({@link dev.leasehold.Holding}) asks every
 * period of its own while another has it, keeps it once it has it, and asks again after it is lost. Both hold no connection
 * meanwhile. Rows of names that are used no more are deleted by {@link dev.leasehold.Leases#cleanUp}; the fence of a name
 * that comes back is taken from the database's clock, and so goes on growing.
 *
 * <h2>When something fails</h2>
 *
 * <table>
 * <caption>What happens, and what the holder sees</caption>
 * <tr><th>Fault</th><th>Then</th></tr>
 * <tr><td>The holder's process dies</td><td>The lease expires; the next to ask takes it over, and is told of the
 * death.</td></tr>
 * <tr><td>The database is away, or the pool empty</td><td>Unconfirmed at the own deadline; held again if the row is still
 * ours when the database is back.</td></tr>
 * <tr><td>A connection of the pool leads to a server that is a standby now</td><td>It is closed, so that the pool opens another in its
 * place.</td></tr>
 * <tr><td>The answer to an acquire is lost</td><td>Not held; the row is released in the background, at worst it
 * expires.</td></tr>
 * <tr><td>Somebody has the row locked</td><td>Acquire answers busy, release goes on in the background, and the renewal of a
 * lease in danger stands in line for the lock.</td></tr>
 * <tr><td>The answer to a release is lost</td><td>It is tried again in the background; another's row before the own deadline
 * tells that it had got through.</td></tr>
 * <tr><td>A release cannot be carried out within two ttl</td><td>Given up, and told as lost; the lease has run out, as that of
 * a holder that died.</td></tr>
 * <tr><td>The row is deleted, or another's</td><td>Lost at the next renewal, for good.</td></tr>
 * <tr><td>The holder is frozen</td><td>Another takes over. Once awake, {@code isHeld()} is false; what was already on its way
 * is not stopped by it: use a fenced transaction, or hand the fence to the resource.</td></tr>
 * <tr><td>The holder is frozen in a fenced transaction</td><td>Busy until the server ends the transaction, idle for a ttl;
 * then another takes over, and the transaction has written nothing.</td></tr>
 * <tr><td>A listener throws or hangs</td><td>Later events wait for it; leases and their renewal do not.</td></tr>
 * </table>
 *
 * <h2>What it does not promise</h2>
 *
 * <p>A lease is a promise by time; without a fence, work can overlap. A frozen holder does not know that it is frozen, and
 * a hypervisor that stops a guest may stop both of its clocks. The database's clock, stepped forward by more than a lease,
 * ends leases early. A failover with asynchronous replication can lose the last leases acquired or renewed: the old holder
 * trusts what the new server never saw. The fence then
 * still grows unless the new server's clock is behind the last fence given, and fenced transactions are exact within the surviving
 * timeline. Behind a pooler in transaction mode the driver
 * needs {@code prepareThreshold=0}, which only the URL can set.
 *
 * <p>PostgreSQL documentation: <a href="https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE">SELECT,
 * the locking clause</a>; <a href="https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED">Read
 * Committed</a>; <a href="https://www.postgresql.org/docs/current/storage-hot.html">Heap-Only Tuples</a>.
 */
@NullMarked
package dev.leasehold;

import org.jspecify.annotations.NullMarked;
