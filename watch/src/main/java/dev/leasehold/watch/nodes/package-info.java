/** Each instance beats a row of its own; the rows tell which nodes there are and which of their instances live. */
@NullMarked
package dev.leasehold.watch.nodes;

import org.jspecify.annotations.NullMarked;
