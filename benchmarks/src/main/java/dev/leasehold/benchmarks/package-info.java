/** Measures leases side by side with other ways to make work exclusive, interleaved in one JVM on one PostgreSQL. */
@NullMarked
package dev.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;
