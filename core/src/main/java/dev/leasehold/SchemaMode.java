package dev.leasehold;

/** What to do about the lease table when {@link Leases} are built. */
public enum SchemaMode {
    /** Create the table, or what is missing of it. No DDL is sent when nothing is missing. */
    CREATE,
    /** Fail with what is missing, and change nothing. */
    VALIDATE,
    /** Do not look. */
    NONE
}
