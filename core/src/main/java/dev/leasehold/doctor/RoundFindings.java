package dev.leasehold.doctor;

import java.util.ArrayList;
import java.util.List;

/** {@link FindingKind#ROUNDS}. */
final class RoundFindings {

    /** At which a slot counts as failed, unless the round is configured otherwise. */
    static final int MANY_DEATHS = 3;

    private RoundFindings() {}

    static List<Finding> judge(List<LeaseOfNote> leases) {
        var findings = new ArrayList<Finding>();
        List<LeaseOfNote> deadly =
                leases.stream().filter(lease -> lease.deaths() >= MANY_DEATHS).toList();
        if (!deadly.isEmpty()) {
            findings.add(deadly(deadly));
        }
        List<LeaseOfNote> paused =
                leases.stream().filter(lease -> lease.pauseReason().isPresent()).toList();
        if (!paused.isEmpty()) {
            findings.add(paused(paused));
        }
        return findings;
    }

    private static Finding deadly(List<LeaseOfNote> leases) {
        return new Finding(
                FindingKind.ROUNDS,
                Severity.RISK,
                Counted.text(leases.size(), "lease") + (leases.size() == 1 ? " has" : " have") + " lost " + MANY_DEATHS
                        + " or more holders in a row",
                Evidence.of(
                        List.of(Column.text("name"), Column.number("deaths"), Column.text("holder")),
                        leases.stream()
                                .map(lease ->
                                        List.<Object>of(lease.name(), lease.deaths(), OneLine.text(lease.holder())))
                                .toList(),
                        LeaseFindings.MOST_ROWS),
                "Each of them died, or could not renew, in mid-run: the work may kill its process, or exhaust its memory. The"
                        + " slot of a round counts as failed then, and is not tried again.",
                Remedy.now(
                        "Look how those processes ended, and at the run history if there is one. A run that ends well sets"
                                + " the count back."));
    }

    private static Finding paused(List<LeaseOfNote> leases) {
        return new Finding(
                FindingKind.ROUNDS,
                Severity.INFORMATION,
                Counted.text(leases.size(), "round") + (leases.size() == 1 ? " is" : " are") + " paused",
                Evidence.of(
                        Column.texts("name", "reason"),
                        leases.stream()
                                .map(lease -> List.<Object>of(
                                        lease.name(),
                                        OneLine.text(lease.pauseReason().orElse(""))))
                                .toList(),
                        LeaseFindings.MOST_ROWS),
                "No run begins in the whole cluster until they are resumed.",
                Remedy.now("When the reason is gone: leasehold resume NAME, or Leases.resume."));
    }
}
