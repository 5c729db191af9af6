package dev.leasehold.doctor;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How many connections the roles of an application take at most, during a deploy too, and what of a limit that leaves. Pure
 * arithmetic: no database is asked. Immutable.
 *
 * <p>Three roles of two instances each, an old and a new one of each at the same time during a deploy, a pool of four:
 * 3 x 2 x 2 x 4 = 48 connections, of a limit of 120 perhaps.
 *
 * @param roles at least one, at most 1,000, each of another name
 */
public record Budget(List<Role> roles) {

    private static final int MOST = 1_000;

    /** @throws IllegalArgumentException for no or too many roles, or two of one name; names the value and the rule */
    public Budget {
        roles = List.copyOf(roles);
        if (roles.isEmpty() || roles.size() > MOST) {
            throw new IllegalArgumentException(
                    "roles are " + roles.size() + ", but must be 1 to 1,000: a budget adds up what each of them takes");
        }
        Set<String> names = new HashSet<>();
        for (Role role : roles) {
            if (!names.add(role.name())) {
                throw new IllegalArgumentException("role \"" + role.name()
                        + "\" is there twice, but must be there once: add its instances, or name its parts");
            }
        }
    }

    /**
     * What runs with pools of one size: web servers, workers, a scheduler. Immutable.
     *
     * @param name for people, not blank
     * @param instances processes with a pool, on all nodes together, 1 to 100,000
     * @param overlap how many of each instance run at the same time during a deploy, 1 to 100,000: 2 where a new one starts
     *     before the old one ends, 1 where it does not
     * @param pool connections that an instance's pool has at most, 1 to 100,000
     */
    public record Role(String name, int instances, int overlap, int pool) {

        private static final int MOST = 100_000;

        /** @throws IllegalArgumentException for anything else; names the value and the rule */
        public Role {
            if (name.isBlank()) {
                throw new IllegalArgumentException("a role's name is \"" + name + "\", but must not be blank");
            }
            require(name, "instances", instances);
            require(name, "overlap", overlap);
            require(name, "pool", pool);
        }

        private static void require(String name, String what, int value) {
            if (value < 1 || value > MOST) {
                throw new IllegalArgumentException(
                        what + " of role \"" + name + "\" is " + value + ", but must be 1 to 100,000");
            }
        }

        /** How many pools there are during a deploy. */
        public long pools() {
            return (long) instances * overlap;
        }

        /** How many connections they take at most. */
        public long connections() {
            return pools() * pool;
        }
    }

    /** How many pools there are during a deploy. */
    public long pools() {
        return roles.stream().mapToLong(Role::pools).sum();
    }

    /** How many connections all roles take at most. */
    public long needed() {
        return roles.stream().mapToLong(Role::connections).sum();
    }

    /** What is left of a limit; negative by as much as the budget is too large. */
    public long left(int limit) {
        return limit - needed();
    }

    /** Whether a limit is enough. */
    public boolean fits(int limit) {
        return left(limit) >= 0;
    }

    /** The largest pool that fits a limit if all roles have one of that size; 0 if not even a pool of one does. */
    public int largestPool(int limit) {
        return (int) (Math.max(0, limit) / pools());
    }

    /**
     * The largest pool that this role could have within a limit, the others as they are; 0 if not even a pool of one fits.
     *
     * @param role one of the {@link #roles()}
     */
    public int largestPool(Role role, int limit) {
        if (!roles.contains(role)) {
            throw new IllegalArgumentException("role \"" + role.name() + "\" is not one of this budget");
        }
        return (int) (Math.max(0, left(limit) + role.connections()) / role.pools());
    }
}
