package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What an advisory lock is taken on: one number, or two.
 *
 * @param upper the first number, or the upper half of the only one
 * @param lower the second number, or the lower half of the only one
 * @see <a href="https://www.postgresql.org/docs/current/view-pg-locks.html">pg_locks</a>
 */
record AdvisoryKey(int upper, int lower, boolean isPair) {

    private static final int PAIR = 2;

    /** Of columns that are oids in the server, and unsigned. */
    static AdvisoryKey read(ResultSet row) throws SQLException {
        return new AdvisoryKey(
                (int) row.getLong("classid"), (int) row.getLong("objid"), row.getInt("objsubid") == PAIR);
    }

    static AdvisoryKey of(long number) {
        return new AdvisoryKey((int) (number >> Integer.SIZE), (int) number, false);
    }

    static AdvisoryKey of(int first, int second) {
        return new AdvisoryKey(first, second, true);
    }

    /** Of one that is not a pair. */
    long number() {
        return ((long) upper << Integer.SIZE) | Integer.toUnsignedLong(lower);
    }

    @Override
    public String toString() {
        return isPair ? "(" + upper + ", " + lower + ")" : "bigint " + number();
    }
}
