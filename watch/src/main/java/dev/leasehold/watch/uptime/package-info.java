/**
 * The uptime checks: every few seconds each node asks every monitor's URL once, and what it saw is written under the
 * round's slot.
 *
 * <p>Data flows one way: {@code UptimeConfiguration} wires the round, {@code UptimeJob} runs it, {@code HttpCheck} does
 * the network I/O and tells what it {@code Seen}, {@code Verdict} decides what that means, {@code UptimeStore} persists.
 * No connection to the database is held while a target is asked.
 *
 * <p>A second run of the same slot, by an instance whose lease was lost unseen, adds nothing: (monitor, node, slot) is
 * unique and the first result stays.
 */
@NullMarked
package dev.leasehold.watch.uptime;

import org.jspecify.annotations.NullMarked;
