package dev.leasehold.watch.mail;

import dev.leasehold.watch.mail.SpfSyntax.Term;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges a domain's SPF record by RFC 7208. Pure but for the look-ups of a redirect's target.
 *
 * <p>What the terms resolve to is not looked up: an include of a domain without a record, and the limit of ten look-ups
 * over the whole tree, are not seen, only more than ten in one record.
 */
final class SpfRules {

    private static final String SUBJECT = "spf";
    private static final int MOST_LOOKUPS = 10;
    private static final Set<String> LOOKING_UP = Set.of("include", "a", "mx", "ptr", "exists");

    private final Txt txt;

    SpfRules(Txt txt) {
        this.txt = txt;
    }

    /** Judges what was answered for the domain itself. */
    Finding judge(TxtAnswer answer) throws InterruptedException {
        return judge(answer, 0);
    }

    private Finding judge(TxtAnswer answer, int redirects) throws InterruptedException {
        if (answer instanceof TxtAnswer.Failed failed) {
            return without(Status.UNKNOWN, "Could not look up the SPF record: " + failed.why() + ".");
        }
        if (answer instanceof TxtAnswer.NoSuchName) {
            return without(Status.MISSING, "The domain does not exist in the DNS.");
        }
        List<String> texts = answer instanceof TxtAnswer.Texts some ? some.texts() : List.of();
        List<String> records = texts.stream().filter(SpfSyntax::isSpf).toList();
        if (records.isEmpty()) {
            return without(Status.MISSING, "There is no SPF record." + hint(texts));
        }
        if (records.size() > 1) {
            return new Finding(
                    SUBJECT,
                    Status.INVALID,
                    Shown.of(records),
                    "There are " + records.size() + " SPF records: receivers take that as a permanent error"
                            + " (RFC 7208, section 4.5).");
        }
        return judge(records.get(0), redirects);
    }

    private static String hint(List<String> texts) {
        boolean blankInFront = texts.stream().anyMatch(text -> !SpfSyntax.isSpf(text) && SpfSyntax.isSpf(text.strip()));
        return blankInFront
                ? " A TXT record has blanks in front of v=spf1, so it is not one (RFC 7208, section 4.5)."
                : "";
    }

    private Finding judge(String record, int redirects) throws InterruptedException {
        List<Term> terms;
        try {
            terms = SpfSyntax.terms(record);
        } catch (SpfSyntax.BrokenException e) {
            return with(record, Status.INVALID, "Receivers take it as a permanent error: " + e.getMessage() + ".");
        }
        Optional<Term> all = terms.stream()
                .filter(term -> !term.isModifier() && term.name().equals("all"))
                .findFirst();
        Optional<Term> redirect = all.isPresent() ? Optional.empty() : redirect(terms);
        long lookups = reached(terms).stream()
                        .filter(term -> !term.isModifier() && LOOKING_UP.contains(term.name()))
                        .count()
                + (redirect.isPresent() ? 1 : 0);
        if (lookups > MOST_LOOKUPS) {
            return with(
                    record,
                    Status.INVALID,
                    "It needs " + lookups + " look-ups and more than 10 are a permanent error (RFC 7208, 4.6.4).");
        }
        if (redirect.isPresent()) {
            return redirected(record, redirect.get().value(), redirects);
        }
        return all.map(term -> byAll(record, term))
                .orElseGet(() ->
                        with(record, Status.WEAK, "It has no all and no redirect: what it does not name is neutral."));
    }

    /** What is evaluated: the mechanisms up to the first all, which matches always (RFC 7208, 5.1). */
    private static List<Term> reached(List<Term> terms) {
        int end = 0;
        while (end < terms.size()
                && (terms.get(end).isModifier() || !terms.get(end).name().equals("all"))) {
            end++;
        }
        return terms.subList(0, end);
    }

    private static Optional<Term> redirect(List<Term> terms) {
        return terms.stream()
                .filter(term -> term.isModifier() && term.name().equals("redirect"))
                .findFirst();
    }

    private static Finding byAll(String record, Term all) {
        return switch (all.qualifier()) {
            case '-' -> with(record, Status.OK, "Mail from other hosts fails (-all).");
            case '~' -> with(record, Status.OK, "Mail from other hosts is suspicious (~all).");
            case '?' -> with(record, Status.WEAK, "Mail from other hosts is neutral (?all): it keeps nobody out.");
            default -> with(record, Status.WEAK, "Mail from any host passes (+all): it keeps nobody out.");
        };
    }

    private Finding redirected(String record, String target, int redirects) throws InterruptedException {
        if (target.contains("%")) {
            return with(record, Status.OK, "It redirects to " + target + ", which depends on the mail: not followed.");
        }
        if (redirects == MOST_LOOKUPS) {
            return with(record, Status.INVALID, "It is redirected more than 10 times (RFC 7208, section 4.6.4).");
        }
        Finding there = judge(txt.of(target), redirects + 1);
        String explanation = "It redirects to " + target + ". There: " + there.explanation();
        if (there.status() == Status.MISSING) {
            return with(record, Status.INVALID, explanation + " That is a permanent error (RFC 7208, section 6.1).");
        }
        return with(record, there.status(), explanation);
    }

    private static Finding with(String record, Status status, String explanation) {
        return new Finding(SUBJECT, status, Shown.of(record), explanation);
    }

    private static Finding without(Status status, String explanation) {
        return new Finding(SUBJECT, status, null, explanation);
    }
}
