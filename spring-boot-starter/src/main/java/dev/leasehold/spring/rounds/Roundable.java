package dev.leasehold.spring.rounds;

import dev.leasehold.rounds.RoundContext;
import dev.leasehold.spring.Exclusive;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/** What a method must be like to be a round: others would run without their lease, too often, or past their bean. */
final class Roundable {

    private Roundable() {}

    /**
     * Does nothing if it is.
     *
     * @param bean as others get it
     * @throws IllegalArgumentException if not; tells the reason
     */
    static void check(Method method, Class<?> type, Object bean) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw new IllegalArgumentException("the method is private or static, and must not be");
        }
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 1 || (parameters.length == 1 && parameters[0] != RoundContext.class)) {
            throw new IllegalArgumentException("the method must have no parameters, or one RoundContext");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Exclusive.class)) {
            throw new IllegalArgumentException("a round is exclusive already: remove @Exclusive");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)) {
            throw new IllegalArgumentException(
                    "a round has a schedule of its own, and @Scheduled would run it on every instance: remove @Scheduled");
        }
        refuseWorkThatGoesOn(method.getReturnType());
        refuseAsync(method, type, bean);
        refusePastTheBean(method, bean);
    }

    /** What is known of it only when the method has returned it. */
    static void checkReturned(@Nullable Object value) {
        if (value != null) {
            refuseWorkThatGoesOn(value.getClass());
        }
    }

    private static void refuseWorkThatGoesOn(Class<?> returned) {
        if (Future.class.isAssignableFrom(returned)
                || CompletionStage.class.isAssignableFrom(returned)
                || Flow.Publisher.class.isAssignableFrom(returned)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null) {
            throw new IllegalArgumentException("it returns a " + returned.getSimpleName()
                    + ", whose work goes on after its lease has ended: wait for it inside the method");
        }
    }

    /** By its annotation, which need not make a proxy, and by the proxy, which needs no annotation. */
    private static void refuseAsync(Method method, Class<?> type, Object bean) {
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(type, Async.class)
                || (bean instanceof Advised advised
                        && Arrays.stream(advised.getAdvisors()).anyMatch(one -> isAsync(one, method, type)))) {
            throw new IllegalArgumentException(
                    "@Async has it run on another thread, and its lease would end before it: a round has a thread of its own");
        }
    }

    private static boolean isAsync(Advisor advisor, Method method, Class<?> type) {
        return advisor.getAdvice() instanceof AsyncExecutionInterceptor
                && (!(advisor instanceof PointcutAdvisor pointcut)
                        || pointcut.getPointcut().getMethodMatcher().matches(method, type));
    }

    /** Else it would run on the proxy itself, whose fields are empty. */
    private static void refusePastTheBean(Method method, Object bean) {
        if (!AopUtils.isCglibProxy(bean)) {
            return;
        }
        String handsOnNot = ", and the bean's proxy cannot hand its call on";
        if (Modifier.isFinal(method.getModifiers())) {
            throw new IllegalArgumentException("the method is final" + handsOnNot);
        }
        if (isPackagePrivate(method) && !isInPackageOf(bean.getClass(), method)) {
            throw new IllegalArgumentException("the method is package-private in another package" + handsOnNot);
        }
    }

    private static boolean isPackagePrivate(Method method) {
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
    }

    private static boolean isInPackageOf(Class<?> proxy, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return proxy.getPackageName().equals(declaring.getPackageName())
                && proxy.getClassLoader() == declaring.getClassLoader();
    }
}
