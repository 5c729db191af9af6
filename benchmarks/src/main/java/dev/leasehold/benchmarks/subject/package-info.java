/** What is measured: each way to make work exclusive behind one small interface. */
@NullMarked
package dev.leasehold.benchmarks.subject;

import org.jspecify.annotations.NullMarked;
