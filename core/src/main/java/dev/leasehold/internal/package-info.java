/** What the packages of this library share, and nobody else uses: it may change at any time. */
@NullMarked
package dev.leasehold.internal;

import org.jspecify.annotations.NullMarked;
