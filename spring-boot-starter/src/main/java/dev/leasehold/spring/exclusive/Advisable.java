package dev.leasehold.spring.exclusive;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;

/** Whether the calls of an exclusive method can be seen by the bean's proxy. */
final class Advisable {

    private Advisable() {}

    /**
     * Does nothing if they can.
     *
     * @param bean as others get it
     * @throws IllegalStateException if not; names the method and the reason
     */
    static void check(Method method, Class<?> type, Object bean) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw refused(method, type, "it is private or static, and no proxy can see its calls");
        }
        if (!(bean instanceof Advised advised)) {
            throw refused(method, type, "the bean has no proxy that can see its calls");
        }
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(modifiers)) {
            throw refused(method, type, "it is final, and no proxy can see its calls");
        }
        if (AopUtils.isCglibProxy(bean) && isPackagePrivate(method) && !isInPackageOf(bean.getClass(), method)) {
            throw refused(method, type, "it is package-private in another package, and no proxy can see its calls");
        }
        if (AopUtils.isJdkDynamicProxy(bean) && !isOfInterface(method, type, advised)) {
            throw refused(
                    method, type, "the bean has a proxy of its interfaces only, and none of them has this method");
        }
        Advisor[] advisors = advised.getAdvisors();
        int exclusive = position(advisors, ExclusiveInterceptor.class);
        if (exclusive < 0) {
            throw refused(method, type, "the bean's proxy takes no more advice");
        }
        int async = position(advisors, AsyncExecutionInterceptor.class);
        if (async > exclusive && applies(advisors[async], method, type)) {
            throw refused(
                    method,
                    type,
                    "@Async comes inside of it, so the lease would be released before the work has begun");
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

    /** Calls may come by the bridge of a generic one. */
    private static boolean isOfInterface(Method method, Class<?> type, Advised advised) {
        return Arrays.stream(advised.getProxiedInterfaces())
                .flatMap(one -> Arrays.stream(one.getMethods()))
                .anyMatch(one -> AopUtils.getMostSpecificMethod(one, type).equals(method));
    }

    private static boolean applies(Advisor advisor, Method method, Class<?> type) {
        return !(advisor instanceof PointcutAdvisor pointcut)
                || pointcut.getPointcut().getMethodMatcher().matches(method, type);
    }

    private static int position(Advisor[] advisors, Class<?> advice) {
        for (int i = 0; i < advisors.length; i++) {
            if (advice.isInstance(advisors[i].getAdvice())) {
                return i;
            }
        }
        return -1;
    }

    private static IllegalStateException refused(Method method, Class<?> type, String why) {
        return new IllegalStateException("@Exclusive of " + Methods.described(method, type) + ": " + why);
    }
}
