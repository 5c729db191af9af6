@NullMarked
package dev.leasehold.rounds;

import org.jspecify.annotations.NullMarked;
