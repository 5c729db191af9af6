/** The one page: a snapshot of everything, loaded in a bounded time, rendered without a connection. */
@NullMarked
package dev.leasehold.watch.page;

import org.jspecify.annotations.NullMarked;
