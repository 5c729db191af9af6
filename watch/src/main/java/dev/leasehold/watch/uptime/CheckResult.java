package dev.leasehold.watch.uptime;

import java.time.Duration;

/**
 * What one check of a monitor gave.
 *
 * @param url the URL that was asked: a result of a URL that was changed meanwhile is not written
 */
record CheckResult(long monitorId, String url, Verdict verdict, Duration duration) {}
