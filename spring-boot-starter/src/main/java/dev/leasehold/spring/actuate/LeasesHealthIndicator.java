package dev.leasehold.spring.actuate;

import dev.leasehold.Lease;
import dev.leasehold.LeaseState;
import dev.leasehold.Leases;
import dev.leasehold.rounds.RoundStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the leases and rounds of this instance are well, whether it holds any or not: down while a lease it holds is
 * unconfirmed or in danger, for then its renewals fail, and while the loop of a round has trouble; not for runs that fail. A look into memory, no I/O.
 */
final class LeasesHealthIndicator extends AbstractHealthIndicator {

    /** Programs may hold thousands of leases. */
    private static final int MOST_NAMES = 20;

    private final Leases leases;
    private final Supplier<List<RoundStatus>> rounds;

    LeasesHealthIndicator(Leases leases, Supplier<List<RoundStatus>> rounds) {
        super("the health of leases could not be told");
        this.leases = leases;
        this.rounds = rounds;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        List<Lease> inDanger = leases.inDanger();
        List<Lease> unconfirmed = inDanger.stream()
                .filter(lease -> lease.state() == LeaseState.UNCONFIRMED)
                .toList();
        List<RoundStatus> all = rounds.get();
        Map<String, String> troubles = troubles(all);
        if (inDanger.isEmpty() && all.stream().allMatch(RoundStatus::alive)) {
            health.up();
        } else {
            health.down();
        }
        List<Lease> held = leases.held();
        health.withDetail("held", held.size());
        tell(health, "leases", held);
        tell(health, "renewalFails", inDanger);
        tell(health, "unconfirmed", unconfirmed);
        if (!troubles.isEmpty()) {
            health.withDetail("rounds", troubles);
        }
    }

    /** By the names of their leases, for a round of node scope has one on each node. */
    private static Map<String, String> troubles(List<RoundStatus> rounds) {
        var troubles = new TreeMap<String, String>();
        for (RoundStatus round : rounds) {
            round.trouble().ifPresent(trouble -> troubles.put(round.leaseName(), trouble));
        }
        return troubles;
    }

    private static void tell(Health.Builder health, String what, List<Lease> some) {
        if (!some.isEmpty()) {
            health.withDetail(
                    what,
                    some.stream().map(Lease::name).sorted().limit(MOST_NAMES).toList());
        }
    }
}
