/** A small application whose job runs on one instance at a time, by ShedLock's annotations. */
@NullMarked
package dev.leasehold.examples.shedlock;

import org.jspecify.annotations.NullMarked;
