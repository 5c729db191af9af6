package dev.leasehold.spring.exclusive;

import org.jspecify.annotations.Nullable;

/** What a skipped call returns, which may be told by its arguments. */
@FunctionalInterface
interface ValueExpression {

    /** The value for that call. */
    @Nullable
    Object of(Call call);
}
