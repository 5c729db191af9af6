package dev.leasehold.watch.alerts;

/** The state that is stored for a monitor, and the number of the transition that led to it. */
record Known(State state, long seq) {}
