/** What every feature may know of the database: why it does not answer, how full the pool is, and how to wait for it. */
@NullMarked
package dev.leasehold.watch.database;

import org.jspecify.annotations.NullMarked;
