package dev.leasehold.launcher;

/** Something of a run that is to be ended in its turn. */
interface Part {

    void end() throws Exception;
}
