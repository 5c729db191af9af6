/** How the figures are shown: tables for people, JSON for programs, and the goals read off them. */
@NullMarked
package dev.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
