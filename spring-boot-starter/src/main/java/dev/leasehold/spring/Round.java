package dev.leasehold.spring;

import dev.leasehold.LossPolicy;
import dev.leasehold.rounds.Promise;
import dev.leasehold.rounds.Scope;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a bean's method once per slot in the whole cluster, or on each node: what {@code @Scheduled} is for one instance. The
 * method has no parameters, or one {@link dev.leasehold.rounds.RoundContext}, and what it returns is ignored; it must not return
 * work that goes on after it, nor be {@code @Async}, for its lease ends with it.
 *
 * <p>All durations are as in Boot's properties ({@code 10s}, {@code 15m}, {@code PT1H}), and all texts may have placeholders.
 * Rounds start when the application has started and stop before anything else of it stops.
 *
 * @see dev.leasehold.rounds.Round.Builder the same in code, whose rules hold here too: a bean of the type {@code Round} is
 *     started like a method with this annotation
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface Round {

    /** As {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** The name of the round, 1 to 255 characters without {@code @}; the same on all instances. */
    @AliasFor("value")
    String name() default "";

    /** The period. Either this or {@link #cron}. */
    String every() default "";

    /** When in the period its slots lie, from the epoch in UTC; {@code spread} chooses by the name. Default zero. */
    String offset() default "";

    /** A cron expression of six fields, as Spring's {@code @Scheduled} has it; see {@link Cron}. */
    String cron() default "";

    /** The zone of the cron expression, as {@code Europe/Berlin}. Default UTC: not the zone of whichever instance comes first. */
    String zone() default "";

    /** Among whom it is exclusive. */
    Scope scope() default Scope.CLUSTER;

    /**
     * What is promised about the runs of a slot. With {@link Promise#EXACTLY_ONCE} the method runs in a transaction of Spring's on
     * the leases' database, which counts the slot with its commit.
     */
    Promise promise() default Promise.AT_LEAST_ONCE;

    /** What happens to a run whose lease is lost. */
    LossPolicy onLoss() default LossPolicy.GO_ON;

    /** After how long a run is interrupted. Default never. */
    String runTimeout() default "";

    /** After how long a slot whose run failed is tried again. Default not at all. */
    String retryAfter() default "";

    /** How many holders in a row may die in mid-run before the slot is given up. */
    int deathLimit() default 3;
}
