package dev.leasehold.doctor;

/** How many rows of a lease table there are in all, and in which state. The rest of them is released. */
record LeaseCounts(long rows, long held, long resting, long expired) {

    long released() {
        return rows - held - resting - expired;
    }
}
