/** What is asked of each subject: one class a figure, all of the same shape. */
@NullMarked
package dev.leasehold.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
