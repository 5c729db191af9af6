package dev.leasehold.watch.mail;

import java.util.List;

/** What the DNS answers when it is asked for the TXT records of a name. */
sealed interface TxtAnswer {

    /** The records, at least one, each with its strings joined with nothing between them (RFC 7208, 3.3). */
    record Texts(List<String> texts) implements TxtAnswer {}

    /** The name exists and has no TXT record. */
    record NoRecord() implements TxtAnswer {}

    /** The name does not exist. */
    record NoSuchName() implements TxtAnswer {}

    /** No answer that one could rely on: nothing is known. */
    record Failed(String why) implements TxtAnswer {}
}
