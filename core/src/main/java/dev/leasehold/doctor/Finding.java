package dev.leasehold.doctor;

/**
 * One thing that a look at a database has found. Immutable.
 *
 * @param title what is the matter, in one line, with the numbers; it may name applications, addresses and roles of others
 * @param evidence what it was concluded from
 * @param meaning what it means for the applications, in a sentence or two
 * @param remedy what to do about it
 */
public record Finding(
        FindingKind kind, Severity severity, String title, Evidence evidence, String meaning, Remedy remedy) {}
