/**
 * Starts a PostgreSQL and the nodes of Watch with one command, and ends all of it in order.
 *
 * <p>{@link dev.leasehold.launcher.Lifecycle} holds the order: what is opened later ends first, so the nodes have
 * released their leases before the database goes. Everything that outlives the launcher's JVM when it is killed, nodes
 * and the database server alike, is found by the next start through {@link dev.leasehold.launcher.Leftovers}.
 */
@NullMarked
package dev.leasehold.launcher;

import org.jspecify.annotations.NullMarked;
