package dev.leasehold.spring.exclusive;

/** The name of a lease, which may be told by a call's arguments. */
@FunctionalInterface
interface NameExpression {

    /** The name for that call. */
    String of(Call call);
}
