package dev.leasehold.doctor;

/** How bad a {@link Finding} is, the worst first. */
public enum Severity {
    /** Something is broken now, or will be the next time somebody needs it. */
    PROBLEM,
    /** It works, and a load, a deploy or a crash is enough to break it. */
    RISK,
    /** Good to know; nothing has to be done. A look that finds nothing worse has found a healthy database. */
    INFORMATION
}
