package dev.leasehold.watch.mail;

import org.jspecify.annotations.Nullable;

/**
 * What was found of one subject of a domain.
 *
 * @param subject spf or dmarc
 * @param record the text that was judged, null where there is none
 */
record Finding(String subject, Status status, @Nullable String record, String explanation) {}
