package dev.leasehold.spring.exclusive;

import dev.leasehold.Acquisition;
import dev.leasehold.Lease;
import dev.leasehold.LeaseRequest;
import dev.leasehold.LeaseState;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.spring.CurrentLease;
import dev.leasehold.spring.transactions.TransactionLeases;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;

/** Runs a call under its lease, or skips it. Thread-safe. */
final class ExclusiveInterceptor implements MethodInterceptor {

    private static final Logger log = LoggerFactory.getLogger(ExclusiveInterceptor.class);

    private final ExclusiveMethods methods;
    private final LeasesIfAny leases;
    private final RunningCalls calls;

    ExclusiveInterceptor(ExclusiveMethods methods, LeasesIfAny leases, RunningCalls calls) {
        this.methods = methods;
        this.leases = leases;
        this.calls = calls;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Optional<Leases> asked = leases.get();
        if (asked.isEmpty()) {
            return invocation.proceed();
        }
        Object target = invocation.getThis();
        Class<?> targetClass =
                target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        ExclusiveMethod method = methods.of(invocation.getMethod(), targetClass, target);
        var call = new Call(target, invocation.getMethod(), Arrays.asList(invocation.getArguments()));
        LeaseRequest request = method.request(call);
        Optional<Lease> held = held(request.name());
        if (held.isPresent()) {
            return CurrentLease.during(held.get(), invocation::proceed);
        }
        Acquisition acquisition = acquire(asked.get(), request, method);
        if (acquisition.lease().isEmpty()) {
            log.debug(
                    "{} is skipped: lease {} is not free",
                    Methods.described(invocation.getMethod(), targetClass),
                    request.name());
            return method.otherwise().of(call);
        }
        return run(acquisition.lease().get(), method.onLoss(), invocation);
    }

    private static Acquisition acquire(Leases leases, LeaseRequest request, ExclusiveMethod method) {
        try {
            return method.waitFor().isZero()
                    ? leases.tryAcquire(request)
                    : leases.tryAcquire(request, method.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException(request.name(), e);
        }
    }

    /** By this thread, or for its transaction: both are as good as a lease of its own. */
    private static Optional<Lease> held(String name) {
        return TransactionLeases.ofThisThread().stream()
                .filter(lease -> lease.name().equals(name) && lease.isHeld())
                .findFirst();
    }

    /** The release waits for the end of the method, of a transaction that had begun before, and of a stage that is returned. */
    private @Nullable Object run(Lease lease, LossPolicy onLoss, MethodInvocation invocation) throws Throwable {
        var release = new LastOneReleases(lease, calls);
        LastOneReleases.User method = release.user();
        try {
            LastOneReleases.User transaction = release.user();
            if (!TransactionLeases.releaseAfterTransaction(lease, transaction::close)) {
                transaction.close();
            }
            Object result = CurrentLease.during(lease, () -> switch (onLoss) {
                case GO_ON -> invocation.proceed();
                case INTERRUPT -> Interruptible.run(lease, invocation);
            });
            return result instanceof CompletionStage<?> stage ? releasing(stage, release, lease, onLoss) : result;
        } finally {
            method.close();
        }
    }

    private static Object releasing(CompletionStage<?> stage, LastOneReleases release, Lease lease, LossPolicy onLoss) {
        // Who waits for a future of another type gets it as it was: its own type may be asked for.
        boolean isReplaced = stage.getClass() == CompletableFuture.class;
        LastOneReleases.User work = release.userElsewhere();
        CompletionStage<?> released;
        try {
            released = stage.whenComplete((result, failure) -> {
                try (work) {
                    if (onLoss == LossPolicy.INTERRUPT && isLost(lease)) {
                        if (isReplaced) {
                            lease.checkHeld();
                        }
                        log.warn(
                                "lease {} was lost before the end of a {}, which does not tell: only a CompletableFuture fails"
                                        + " then, in others the work must ask whether the lease is held",
                                lease.name(),
                                stage.getClass().getName());
                    }
                }
            });
        } catch (Throwable thrown) {
            work.close();
            throw thrown;
        }
        return isReplaced ? released : stage;
    }

    /** No interrupt reaches work on other threads; who waits for it learns of the loss at its end. */
    private static boolean isLost(Lease lease) {
        return lease.state() == LeaseState.UNCONFIRMED || lease.state() == LeaseState.LOST;
    }

    /** A wait for a lease that was interrupted; the flag is set. */
    private static final class InterruptedWaitException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        InterruptedWaitException(String name, InterruptedException cause) {
            super("interrupted while waiting for lease " + name, cause);
        }
    }
}
