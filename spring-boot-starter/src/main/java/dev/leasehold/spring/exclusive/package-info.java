/** How methods with {@link dev.leasehold.spring.Exclusive} are found, checked and run. */
@NullMarked
package dev.leasehold.spring.exclusive;

import org.jspecify.annotations.NullMarked;
