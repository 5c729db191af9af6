/** How the figures are shown: tables for people, JSON for programs. */
@NullMarked
package dev.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
