@NullMarked
package dev.leasehold.launcher;

import org.jspecify.annotations.NullMarked;
