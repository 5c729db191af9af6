package dev.leasehold.watch.mail;

/** Looks up the TXT records of a name. */
interface Txt {

    TxtAnswer of(String name) throws InterruptedException;
}
