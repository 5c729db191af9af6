@NullMarked
package dev.leasehold.spring;

import org.jspecify.annotations.NullMarked;
