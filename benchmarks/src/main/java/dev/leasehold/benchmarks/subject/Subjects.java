package dev.leasehold.benchmarks.subject;

import java.util.List;

/** All that is measured, in the order of the tables. */
public final class Subjects {

    public static final List<Subject> ALL = List.of(
            new Leasehold(),
            new LeaseholdCounted(),
            new Original(),
            new ShedLock(),
            new SpringIntegration(),
            new DbScheduler(),
            new AdvisoryLock());

    private Subjects() {}

    public static Subject labelled(String label) {
        return ALL.stream()
                .filter(subject -> subject.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no subject is called " + label));
    }
}
