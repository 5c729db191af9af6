/** Liveness without the database, readiness by one bounded, shared probe of it. */
@NullMarked
package dev.leasehold.watch.health;

import org.jspecify.annotations.NullMarked;
