package dev.leasehold.spring.exclusive;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a method: what expressions in its annotation may look at. */
record Call(@Nullable Object target, Method method, List<@Nullable Object> arguments) {}
