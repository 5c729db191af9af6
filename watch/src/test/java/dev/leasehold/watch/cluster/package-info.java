@NullMarked
package dev.leasehold.watch.cluster;

import org.jspecify.annotations.NullMarked;
