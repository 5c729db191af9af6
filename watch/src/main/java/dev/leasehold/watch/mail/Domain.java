package dev.leasehold.watch.mail;

/**
 * A domain that is watched.
 *
 * @param name lower case, in A-labels, without a dot at the end
 */
record Domain(long id, String name) {}
