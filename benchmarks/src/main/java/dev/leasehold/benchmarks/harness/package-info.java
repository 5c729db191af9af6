/** How it is measured: interleaved rounds, medians, threads that start together, pools of one size. */
@NullMarked
package dev.leasehold.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
