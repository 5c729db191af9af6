package dev.leasehold.spring.actuate;

import dev.leasehold.ForcedRelease;
import dev.leasehold.Lease;
import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * The actuator endpoint {@code leases}: who holds what in the whole cluster, and an operator's forced release.
 *
 * <p>Only reading is allowed by default; {@code management.endpoint.leases.access=unrestricted} allows the release too. A name
 * may have slashes: it is all that follows in the path. One that begins or ends with a slash, or has two in a row, a
 * semicolon or a backslash, arrives as another by the path, and is given by the parameter {@code name} instead.
 *
 * <p>A read asks the database once, for the whole table also where one name is asked for. A forced release that meets a row
 * which a transaction has locked asks again and again for five seconds before it fails.
 */
@Endpoint(id = "leases", defaultAccess = Access.READ_ONLY)
public final class LeasesEndpoint {

    private final Leases leases;

    LeasesEndpoint(Leases leases) {
        this.leases = leases;
    }

    /**
     * The rows of the lease table, by name.
     *
     * @param name all of them if null
     */
    @ReadOperation
    public Rows rows(@Nullable String name) {
        Set<Acquired> here = acquiredHere();
        return new Rows(leases.rows().stream()
                .filter(row -> name == null || row.name().equals(name))
                .map(row -> Row.of(row, here))
                .toList());
    }

    /** The row of that name; none is answered as not found. */
    @ReadOperation
    public @Nullable Row row(@Selector(match = Match.ALL_REMAINING) String... name) {
        String wanted = String.join("/", name);
        Set<Acquired> here = acquiredHere();
        return leases.rows().stream()
                .filter(row -> row.name().equals(wanted))
                .findFirst()
                .map(row -> Row.of(row, here))
                .orElse(null);
    }

    /**
     * Ends the lease of that name, whoever holds it; see {@link Leases#releaseByForce}.
     *
     * @param reason for the log, 1 to 500 characters
     * @return what was ended; no content if nobody held it
     */
    @DeleteOperation
    public @Nullable Ended releaseByForce(@Selector(match = Match.ALL_REMAINING) String[] name, String reason) {
        return releaseNamedByForce(String.join("/", name), reason);
    }

    /** As {@link #releaseByForce}, of any name. */
    @DeleteOperation
    public @Nullable Ended releaseNamedByForce(String name, String reason) {
        try {
            return leases.releaseByForce(name, reason)
                    .map(ended -> Ended.of(name, ended))
                    .orElse(null);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "wrong name or reason", e);
        }
    }

    private Set<Acquired> acquiredHere() {
        var here = new HashSet<Acquired>();
        for (Lease lease : leases.held()) {
            here.add(new Acquired(lease.name(), lease.holder(), lease.fence()));
        }
        return here;
    }

    private record Acquired(String name, String holder, long fence) {}

    /** The rows of the lease table. */
    public record Rows(List<Row> leases) {}

    /**
     * One row of the lease table.
     *
     * @param holder who holds it, or held it last; null where nobody ever did, or it rests
     * @param held whether somebody holds it now, by the database's clock
     * @param heldHere whether that is this instance
     * @param expiresIn until it expires unless renewed, by the database's clock; null while nobody holds it
     * @param deaths how many holders in a row died without a release
     * @param doneSlot of a round: the slot of its last run that counts
     * @param paused of a round: why an operator has paused it
     */
    public record Row(
            String name,
            @Nullable String holder,
            boolean held,
            boolean heldHere,
            @Nullable Duration expiresIn,
            long fence,
            int deaths,
            @Nullable Instant doneSlot,
            @Nullable String paused) {

        static Row of(LeaseRow row, Set<Acquired> here) {
            return new Row(
                    row.name(),
                    row.holder().equals("-") ? null : row.holder(),
                    row.held(),
                    row.held() && here.contains(new Acquired(row.name(), row.holder(), row.fence())),
                    row.held() ? row.timeLeft() : null,
                    row.fence(),
                    row.deaths(),
                    row.doneSlot().orElse(null),
                    row.pauseReason().orElse(null));
        }
    }

    /** What a forced release has ended. */
    public record Ended(String name, String holder, long fence) {

        static Ended of(String name, ForcedRelease ended) {
            return new Ended(name, ended.holder(), ended.fence());
        }
    }
}
