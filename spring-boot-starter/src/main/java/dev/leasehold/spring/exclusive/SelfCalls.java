package dev.leasehold.spring.exclusive;

import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.exclusive.ClassFile.Called;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of exclusive methods that go past the proxy: {@code this.method()} and {@code this::method}, for methods without
 * parameters, also in lambdas and in inner classes. Other calls within a bean are not found.
 */
final class SelfCalls {

    private SelfCalls() {}

    /**
     * Looks at the class, and at those it inherits from.
     *
     * @throws IllegalStateException for such a call, unless it comes from another exclusive method with the same lease; names
     *     the two
     */
    static void refuse(Class<?> type, Set<Method> exclusive) {
        Map<String, String> leases = new HashMap<>();
        exclusive.forEach(method -> ExclusiveMethods.annotation(method, type)
                .ifPresent(annotation -> leases.put(signature(method), lease(annotation))));
        if (exclusive.stream().allMatch(method -> method.getParameterCount() > 0)) {
            return;
        }
        for (Class<?> one = ClassUtils.getUserClass(type);
                one != null && one != Object.class;
                one = one.getSuperclass()) {
            refuse(one, leases);
        }
    }

    private static void refuse(Class<?> type, Map<String, String> leases) {
        for (Called call : ClassFile.calls(type)) {
            String lease = leases.get(call.called());
            if (lease != null && !lease.equals(leases.get(call.caller()))) {
                throw refused(type.getSimpleName(), name(call.called()), name(call.caller()));
            }
        }
    }

    /** As it is written: two that become the same at run time are not known to be. */
    private static String lease(Exclusive annotation) {
        return annotation.scope() + " " + annotation.name();
    }

    private static String signature(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    private static String name(String signature) {
        return signature.substring(signature.indexOf(' ') + 1, signature.indexOf('('));
    }

    private static IllegalStateException refused(String type, String called, String caller) {
        return new IllegalStateException("@Exclusive of " + type + "." + called + "(): " + type + "." + caller
                + " calls it by this, past the proxy, so it would run without its lease: call it on the bean, from another"
                + " one, or annotate the caller with the same name and scope");
    }
}
