package dev.leasehold.watch.mail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds and judges the DMARC policy of a domain by RFC 9989: the record of the domain itself, else that of its
 * organizational domain or public suffix, found by walking up the tree with at most eight queries in all (section
 * 4.10). Pure but for the look-ups.
 *
 * <p>Two records at the domain itself are reported as invalid, though receivers, who discard both, may still find one
 * further up: the owner has something to repair.
 */
final class DmarcRules {

    /** Whether the domain itself is in the DNS: what one of its parents says of it depends on that. */
    enum Existence {
        EXISTS,
        DOES_NOT_EXIST,
        UNKNOWN;

        /** By the answer to any question for the domain itself. */
        static Existence by(TxtAnswer answer) {
            if (answer instanceof TxtAnswer.Failed) {
                return UNKNOWN;
            }
            return answer instanceof TxtAnswer.NoSuchName ? DOES_NOT_EXIST : EXISTS;
        }
    }

    private static final int MOST_LABELS_ABOVE = 7;

    private final Txt txt;

    DmarcRules(Txt txt) {
        this.txt = txt;
    }

    Finding judge(String domain, Existence existence) throws InterruptedException {
        TxtAnswer answer = ask(domain);
        if (answer instanceof TxtAnswer.Failed failed) {
            return couldNotLookUp(domain, failed);
        }
        List<DmarcRecord> own = records(answer);
        if (own.size() > 1) {
            return DmarcPolicy.finding(
                    Status.INVALID,
                    Shown.of(own.stream().map(DmarcRecord::text).toList()),
                    "There are " + own.size() + " DMARC records: receivers discard them all (RFC 9989, section 4.10).");
        }
        if (own.size() == 1) {
            return DmarcPolicy.ofItsOwn(own.get(0));
        }
        return walk(domain, existence, hint(answer));
    }

    private Finding walk(String domain, Existence existence, String hint) throws InterruptedException {
        List<At> found = new ArrayList<>();
        for (String above : above(domain)) {
            TxtAnswer answer = ask(above);
            if (answer instanceof TxtAnswer.Failed failed) {
                return couldNotLookUp(above, failed);
            }
            List<DmarcRecord> records = records(answer);
            if (records.size() == 1) {
                found.add(new At(above, records.get(0)));
                if (records.get(0).endsWalk()) {
                    break;
                }
            }
        }
        Optional<At> chosen = choose(domain, found);
        if (chosen.isEmpty()) {
            return DmarcPolicy.finding(
                    Status.MISSING, null, "There is no DMARC record, nor one of a parent domain." + hint);
        }
        return DmarcPolicy.inherited(chosen.get().record(), chosen.get().name(), existence);
    }

    /** From the longest name to the shortest, as they were found (RFC 9989, sections 4.10.1 and 4.10.2). */
    private static Optional<At> choose(String domain, List<At> found) {
        if (found.isEmpty()) {
            return Optional.empty();
        }
        At last = found.get(found.size() - 1);
        if (!last.record().is("psd", "y")) {
            return Optional.of(last);
        }
        // The organizational domain is one label below the public suffix; without a record, the suffix's own applies.
        String organizational = below(last.name(), domain);
        return Optional.of(found.stream()
                .filter(at -> at.name().equals(organizational))
                .findFirst()
                .orElse(last));
    }

    private static String below(String suffix, String domain) {
        List<String> labels = labels(domain);
        int count = labels(suffix).size() + 1;
        return last(labels, Math.min(count, labels.size()));
    }

    /** The names above a domain that are asked, longest first: of a long name only the last seven labels. */
    static List<String> above(String domain) {
        List<String> labels = labels(domain);
        List<String> names = new ArrayList<>();
        for (int count = Math.min(labels.size() - 1, MOST_LABELS_ABOVE); count >= 1; count--) {
            names.add(last(labels, count));
        }
        return names;
    }

    private static List<String> labels(String name) {
        return Arrays.asList(name.split("\\.", -1));
    }

    private static String last(List<String> labels, int count) {
        return String.join(".", labels.subList(labels.size() - count, labels.size()));
    }

    private TxtAnswer ask(String name) throws InterruptedException {
        return txt.of("_dmarc." + name);
    }

    private static List<DmarcRecord> records(TxtAnswer answer) {
        return texts(answer).stream()
                .map(DmarcRecord::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<String> texts(TxtAnswer answer) {
        return answer instanceof TxtAnswer.Texts some ? some.texts() : List.of();
    }

    private static String hint(TxtAnswer answer) {
        return texts(answer).stream()
                .filter(text -> text.strip().toLowerCase(Locale.ROOT).startsWith("v=dmarc1"))
                .findFirst()
                .map(text -> " A TXT record is there that looks like one, but does not begin with v=DMARC1 and a"
                        + " semicolon exactly: \"" + Shown.of(text) + "\".")
                .orElse("");
    }

    private static Finding couldNotLookUp(String name, TxtAnswer.Failed failed) {
        return DmarcPolicy.finding(
                Status.UNKNOWN, null, "Could not look up _dmarc." + name + ": " + failed.why() + ".");
    }

    private record At(String name, DmarcRecord record) {}
}
