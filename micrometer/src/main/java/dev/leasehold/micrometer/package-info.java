/**
 * Meters for leases and rounds in a Micrometer registry. {@link dev.leasehold.micrometer.LeaseholdMeters} is told what happens,
 * and looks at what is bound to it. The module's README lists every meter; a Grafana dashboard and Prometheus alert rules that
 * use them lie beside this package.
 *
 * <p>Rounds are told apart by their names. Leases are not: a program may make up a name for every order it handles, and each
 * would be a time series of its own for ever.
 */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
