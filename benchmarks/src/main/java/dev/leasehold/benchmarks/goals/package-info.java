/** What the project wants of itself, read off the figures of one run. */
@NullMarked
package dev.leasehold.benchmarks.goals;

import org.jspecify.annotations.NullMarked;
