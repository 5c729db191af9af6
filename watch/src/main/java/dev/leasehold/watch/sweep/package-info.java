/**
 * The sweep: removes what is kept for a limited time only.
 *
 * <p>Data flows one way: {@code SweepConfiguration} wires the round, {@code SweepJob} decides what is next and when to
 * stop, {@code SweepStore} deletes. Each batch is a short transaction of its own, so that a backlog of any size shrinks
 * with every batch whatever becomes of the round, and nobody waits for the sweep. A row that is locked is left for the
 * next time. Two sweeps at once take different rows.
 */
@NullMarked
package dev.leasehold.watch.sweep;

import org.jspecify.annotations.NullMarked;
