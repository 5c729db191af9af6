/**
 * Whether an application can be sent requests, as far as its database goes: asked within a bound, whatever the pool and the
 * wire do, and answered with what is in the way. Needs a {@code DataSource} on PostgreSQL, and no leases.
 */
@NullMarked
package dev.leasehold.spring.database;

import org.jspecify.annotations.NullMarked;
