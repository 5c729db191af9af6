package dev.leasehold.benchmarks.report;

/** A figure of a table: its name with the unit, and how many decimals people are shown. */
public record Column(String name, int decimals) {}
