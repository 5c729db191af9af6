package dev.leasehold.watch.uptime;

import java.time.Duration;

/**
 * A URL that is watched.
 *
 * @param timeout the total deadline of one check: name look-up, connection, TLS, headers, redirects and body
 */
record Monitor(long id, String url, Duration timeout) {}
