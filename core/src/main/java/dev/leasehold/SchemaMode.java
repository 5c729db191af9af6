package dev.leasehold;

/** What to do about a table when what needs it is built: {@link Leases}, a {@link RunHistory}. */
public enum SchemaMode {
    /** Create the table, or what is missing of it. No DDL is sent when nothing is missing. */
    CREATE,
    /** Fail with what is missing, and change nothing. */
    VALIDATE,
    /** Do not look. */
    NONE
}
