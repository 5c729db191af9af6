package dev.leasehold.rounds;

/** Among whom a round is exclusive. */
public enum Scope {
    /** One counted run per slot in the whole cluster. */
    CLUSTER,
    /** One counted run per slot on each node, however many instances the node has. */
    NODE
}
