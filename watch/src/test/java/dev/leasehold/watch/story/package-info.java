@NullMarked
package dev.leasehold.watch.story;

import org.jspecify.annotations.NullMarked;
