package dev.leasehold.watch.alerts;

import java.time.Duration;

/** The wait after a delivery that failed: it doubles with each, up to the most. Pure. */
record BackOff(Duration first, Duration most) {

    /** After the attempt of that number, from 1. */
    Duration after(int attempt) {
        Duration wait = first;
        for (int i = 1; i < attempt && wait.compareTo(most) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(most) < 0 ? wait : most;
    }
}
