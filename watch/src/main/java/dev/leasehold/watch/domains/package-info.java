/** Which domains' mail security is checked: the store and its REST API. */
@NullMarked
package dev.leasehold.watch.domains;

import org.jspecify.annotations.NullMarked;
