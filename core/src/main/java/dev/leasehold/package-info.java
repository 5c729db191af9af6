@NullMarked
package dev.leasehold;

import org.jspecify.annotations.NullMarked;
