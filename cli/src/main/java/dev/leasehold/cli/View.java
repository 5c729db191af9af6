package dev.leasehold.cli;

/** What a command shows, once or again and again. */
@FunctionalInterface
interface View {

    /** Looks, and writes what it sees. */
    void show(Output output);
}
