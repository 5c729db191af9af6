/** How an instance starts, and the one line it leaves when it refuses to. */
@NullMarked
package dev.leasehold.watch.start;

import org.jspecify.annotations.NullMarked;
