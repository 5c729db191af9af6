/** Runs every Round the application has, from the end of the start to the beginning of the stop. */
@NullMarked
package dev.leasehold.watch.rounds;

import org.jspecify.annotations.NullMarked;
