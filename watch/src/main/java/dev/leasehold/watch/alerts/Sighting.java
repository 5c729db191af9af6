package dev.leasehold.watch.alerts;

/**
 * The newest fresh result of one node for a monitor.
 *
 * @param outcome up, down or unknown, as in the table of results
 */
record Sighting(String node, String outcome, String detail) {}
