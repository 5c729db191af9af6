package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** {@link FindingKind#LEASES}. */
final class LeaseFindings {

    static final int MOST_ROWS = 20;

    /** A day and a bit: by then a job of each day should have taken it over. */
    static final Duration TAKEN_OVER_WITHIN = Duration.ofHours(25);

    /** What is left for longer was left for good: a name that was used once. */
    static final Duration ABANDONED_AFTER = Duration.ofDays(30);

    static final Duration LONG_HELD = Duration.ofHours(24);

    /** No holder that renews needs a ttl of that length. */
    static final Duration LONGEST_TTL = Duration.ofDays(1);

    private static final Duration EVER = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * Something that can be said of some leases.
     *
     * @param one the title for one of them
     * @param many the title for several, after their number
     */
    private record Saying(
            Severity severity,
            Predicate<LeaseOfNote> isMeant,
            String one,
            String many,
            String meaning,
            String remedy) {}

    private static final List<Saying> SAYINGS = List.of(
            new Saying(
                    Severity.RISK,
                    lease -> expiredBetween(lease, TAKEN_OVER_WITHIN, ABANDONED_AFTER),
                    "1 lease ran out more than 25 h ago without a release, and nobody has taken over",
                    "leases ran out more than 25 h ago without a release, and nobody has taken over",
                    "The holder died, or could not renew, and its work may be half done. If it is a job, it has run nowhere"
                            + " since then: no instance asks for that name any more.",
                    "See whether the job should run. For a name that is not used again: leasehold release NAME, or"
                            + " Leases.cleanUp."),
            new Saying(
                    Severity.INFORMATION,
                    lease -> expiredBetween(lease, Duration.ZERO, TAKEN_OVER_WITHIN),
                    "1 lease ran out without a release",
                    "leases ran out without a release",
                    "The holder died, or could not renew. Whoever asks for the name next takes it over; see whether the job should"
                            + " have run again since.",
                    ""),
            new Saying(
                    Severity.INFORMATION,
                    lease -> expiredBetween(lease, ABANDONED_AFTER, EVER),
                    "1 lease ran out more than 30 d ago",
                    "leases ran out more than 30 d ago",
                    "The names are not used any more.",
                    "Leases.cleanUp deletes such rows, but for those of rounds."),
            new Saying(
                    Severity.RISK,
                    lease -> isLongHeld(lease) && lease.isRound(),
                    "1 round has been running for more than 24 h",
                    "rounds have been running for more than 24 h",
                    "The run hangs, and its holder goes on renewing: the round runs nowhere else meanwhile.",
                    "Look at the holder's threads. Then leasehold release NAME ends the lease at once, and the holder is told at its"
                            + " next renewal."),
            new Saying(
                    Severity.INFORMATION,
                    lease -> isLongHeld(lease) && !lease.isRound(),
                    "1 lease has been held for more than 24 h",
                    "leases have been held for more than 24 h",
                    "A leader holds its lease for as long as it lives. Work that should have ended hangs.",
                    "If it hangs: leasehold release NAME ends the lease at once, and the holder is told at its next renewal."),
            new Saying(
                    Severity.RISK,
                    lease -> lease.isHeld()
                            && lease.left()
                                    .map(left -> left.compareTo(LONGEST_TTL) > 0)
                                    .orElse(true),
                    "1 lease is held with more than 24 h left, or for ever",
                    "leases are held with more than 24 h left, or for ever",
                    "If the holder dies, nobody takes over until then.",
                    "End those whose holder is gone: leasehold release NAME. Give the others a shorter ttl, and let the"
                            + " holder renew."));

    private LeaseFindings() {}

    /** @param leases all that are not released, the longest held first */
    static List<Finding> judge(LeaseCounts counts, List<LeaseOfNote> leases) {
        var findings = new ArrayList<Finding>();
        if (counts.rows() > 0) {
            findings.add(counted(counts, leases));
        }
        SAYINGS.stream().flatMap(saying -> said(saying, leases)).forEach(findings::add);
        return findings;
    }

    private static boolean expiredBetween(LeaseOfNote lease, Duration from, Duration to) {
        Optional<Duration> ago = lease.expired();
        return ago.isPresent() && ago.get().compareTo(from) >= 0 && ago.get().compareTo(to) < 0;
    }

    private static boolean isLongHeld(LeaseOfNote lease) {
        return lease.isHeld()
                && lease.taken().map(age -> age.compareTo(LONG_HELD) > 0).orElse(false);
    }

    private static Finding counted(LeaseCounts counts, List<LeaseOfNote> leases) {
        return new Finding(
                FindingKind.LEASES,
                Severity.INFORMATION,
                Counted.text(counts.held(), "lease") + (counts.held() == 1 ? " is" : " are") + " held, "
                        + Counted.text(counts.released()) + " released, " + Counted.text(counts.resting())
                        + " resting, "
                        + Counted.text(counts.expired()) + " expired",
                evidence(leases.stream().filter(LeaseOfNote::isHeld).toList()),
                "None of them holds a connection.",
                Remedy.none());
    }

    private static Stream<Finding> said(Saying saying, List<LeaseOfNote> leases) {
        List<LeaseOfNote> meant = leases.stream().filter(saying.isMeant()).toList();
        if (meant.isEmpty()) {
            return Stream.empty();
        }
        String title = meant.size() == 1 ? saying.one() : Counted.text(meant.size()) + " " + saying.many();
        return Stream.of(new Finding(
                FindingKind.LEASES,
                saying.severity(),
                title,
                evidence(meant),
                saying.meaning(),
                Remedy.now(saying.remedy())));
    }

    /** Of leases that are all held, or have all expired. */
    private static Evidence evidence(List<LeaseOfNote> leases) {
        boolean haveExpired = leases.stream().anyMatch(lease -> lease.expired().isPresent());
        return Evidence.of(
                List.of(
                        text("name"),
                        text("holder"),
                        duration(haveExpired ? "taken_ago" : "held"),
                        duration(haveExpired ? "expired_ago" : "left"),
                        number("fence")),
                leases.stream()
                        .map(lease -> List.of(
                                (Object) lease.name(),
                                OneLine.text(lease.holder()),
                                Evidence.cell(lease.taken()),
                                Evidence.cell(haveExpired ? lease.expired() : lease.left()),
                                Evidence.cell(lease.fence())))
                        .toList(),
                MOST_ROWS);
    }
}
