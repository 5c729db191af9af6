package dev.leasehold.watch.mail;

import dev.leasehold.watch.mail.DmarcRules.Existence;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a DMARC record asks receivers to do with mail of a domain that does not pass (RFC 9989, sections 4.7, 4.10.1). */
final class DmarcPolicy {

    private static final List<String> HISTORIC = List.of("pct", "rf", "ri");

    private DmarcPolicy() {}

    /** The record stands at the domain itself: sp and np are for its subdomains. */
    static Finding ofItsOwn(DmarcRecord record) {
        return judge(record, List.of("p"), "");
    }

    /** The record stands at a parent: sp is for subdomains, np for those that do not exist. */
    static Finding inherited(DmarcRecord record, String parent, Existence existence) {
        String where = "The record of " + parent + " applies. ";
        return switch (existence) {
            case EXISTS -> judge(record, List.of("sp", "p"), where);
            case DOES_NOT_EXIST -> judge(record, List.of("np", "sp", "p"), where);
            case UNKNOWN ->
                record.tags().containsKey("np")
                        ? finding(
                                Status.UNKNOWN,
                                Shown.of(record.text()),
                                where + "Could not look up whether the domain exists, which decides between sp and np.")
                        : judge(record, List.of("sp", "p"), where);
        };
    }

    private static Finding judge(DmarcRecord record, List<String> preference, String where) {
        String text = Shown.of(record.text());
        Optional<String> broken = record.brokenPolicy();
        if (broken.isPresent()) {
            String what = where + "The value of " + broken.get() + " is not none, quarantine or reject: ";
            return record.asksForReports()
                    ? finding(Status.WEAK, text, what + "the policy counts as none." + notes(record))
                    : finding(Status.INVALID, text, what + "receivers ignore the record." + notes(record));
        }
        for (String tag : preference) {
            String policy = record.policy(tag);
            if (policy != null) {
                return byPolicy(record, tag, policy, where);
            }
        }
        return finding(
                Status.WEAK,
                text,
                where + "It has no p, which counts as none: nothing is done about mail that does not pass."
                        + notes(record));
    }

    private static Finding byPolicy(DmarcRecord record, String tag, String policy, String where) {
        String text = Shown.of(record.text());
        String said = where + tag + "=" + policy;
        if (policy.equals("none")) {
            return finding(
                    Status.WEAK, text, said + ": nothing is done about mail that does not pass." + notes(record));
        }
        if (record.is("t", "y")) {
            String applied = policy.equals("reject") ? "quarantine" : "none";
            return finding(
                    Status.WEAK,
                    text,
                    said + " with t=y is a test: receivers apply " + applied + " at most." + notes(record));
        }
        return finding(Status.OK, text, said + " is asked for." + notes(record));
    }

    private static String notes(DmarcRecord record) {
        StringBuilder notes = new StringBuilder();
        List<String> historic =
                HISTORIC.stream().filter(record.tags()::containsKey).toList();
        if (!historic.isEmpty()) {
            notes.append(" ")
                    .append(String.join(", ", historic))
                    .append(" no longer count; older receivers may use them.");
        }
        if (!record.ignored().isEmpty()) {
            notes.append(" Ignored, because it is no tag or stands there twice: ")
                    .append(Shown.of(String.join("; ", record.ignored())))
                    .append(".");
        }
        return notes.toString();
    }

    static Finding finding(Status status, @Nullable String record, String explanation) {
        return new Finding("dmarc", status, record, explanation);
    }
}
