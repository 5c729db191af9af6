/**
 * A ShedLock {@code LockProvider} on {@link dev.leasehold.Leases}: a lock of ShedLock is a lease, renewed while its process
 * lives, that ends at {@code lockAtMostFor} at the latest.
 *
 * <table>
 * <caption>ShedLock's words and what they are here</caption>
 * <tr><th>ShedLock</th><th>Here</th></tr>
 * <tr><td>lock</td><td>An acquired lease of that name, with a holder of its own. A lock that is not free is an empty answer,
 * and a database that cannot be asked is a {@code LockException}.</td></tr>
 * <tr><td>lockAtMostFor</td><td>The limit of the lease: it is free after that, by the database's clock, though its holder
 * lives. The lock of a process that died is free after the leases' ttl, if that is shorter.</td></tr>
 * <tr><td>lockAtLeastFor</td><td>An unlock before that lets the name rest: nobody holds it, and nobody can acquire it.</td></tr>
 * <tr><td>extend</td><td>Another limit, from now on; empty if the lock is not held any more.</td></tr>
 * <tr><td>unlock</td><td>The release of this very lease. If that was lost it frees nothing, and a warning says so.</td></tr>
 * </table>
 *
 * <p>ShedLock's own clock ({@code ClockProvider}) and the wall clock of the machine decide nothing here.
 */
@NullMarked
package dev.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
