package dev.leasehold.spring;

import dev.leasehold.LossPolicy;
import dev.leasehold.rounds.Scope;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Has a bean's method run only while its instance holds a lease: where another instance, or another thread of this one, holds
 * it, the call is skipped and returns at once.
 *
 * <p>Goes with {@code @Scheduled}, {@code @Async} and {@code @Transactional}, and is found on interfaces, on overridden methods
 * and in annotations that are annotated with it. The lease is acquired on the thread that runs the method, before its
 * transaction begins, and released after the commit; inside a transaction that had begun before, it is released when that
 * has ended. A method that returns a {@code CompletionStage} keeps it until that is completed. A call under a lease of that
 * name which the thread holds already simply goes on.
 *
 * <p>What no proxy can see is refused when the application starts: private, final and static methods, and calls of a method
 * without parameters by {@code this}, unless under the same lease. Other calls within the bean are not seen; {@link CurrentLease#require} tells.
 *
 * <p>If it cannot be found out whether the lease is free, the call throws a {@link dev.leasehold.LeaseException}, and the method
 * does not run.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Exclusive {

    /** As {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the lease, 1 to 512 characters. May have placeholders as <code>${tenant}</code>, and expressions as
     * <code>#{#customer.id}</code> or <code>#{&#64;settings.region}</code>, which know the method's parameters by their names and are
     * evaluated at each call.
     */
    @AliasFor("value")
    String name() default "";

    /** How long the lease lasts without renewal, as {@code 10m}. Default that of all leases, {@code leasehold.ttl}. */
    String ttl() default "";

    /** How long to wait for a lease that is not free, as {@code 5s}. Holds no connection meanwhile. Default not at all. */
    String waitFor() default "";

    /** Among whom it is exclusive; on each node the name of the lease is {@code name@node}, by {@code leasehold.node}. */
    Scope scope() default Scope.CLUSTER;

    /**
     * What happens to the method when its lease is lost; with {@link LossPolicy#INTERRUPT} its thread is interrupted, fenced
     * transactions of it are rolled back from then on, and the call throws a {@link dev.leasehold.LeaseLostException}.
     * No interrupt reaches the work of a returned {@code CompletionStage}. A {@code CompletableFuture} is completed with that
     * exception instead, if the lease is not held at its end; a stage of any other type, a subclass too, ends as it does, with a
     * warning in the log, and its work has to ask {@link dev.leasehold.Lease#isHeld}. Not considered for a call under a lease that the thread holds already.
     */
    LossPolicy onLoss() default LossPolicy.GO_ON;

    /**
     * What a skipped call returns, an expression as {@code 0}, {@code 'busy'} or {@code null}. Not needed for methods that return
     * nothing, or an {@code Optional}, which is empty then, or a {@code CompletionStage} of one of these.
     */
    String otherwise() default "";
}
