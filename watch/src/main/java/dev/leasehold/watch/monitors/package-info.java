/** What is watched by HTTP: the store and its REST API. */
@NullMarked
package dev.leasehold.watch.monitors;

import org.jspecify.annotations.NullMarked;
