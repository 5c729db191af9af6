package dev.leasehold.spring.exclusive;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.util.ClassUtils;

/** Methods as people know them. */
final class Methods {

    private Methods() {}

    /** {@code Report.send(String)}. */
    static String described(Method method, Class<?> targetClass) {
        return ClassUtils.getUserClass(targetClass).getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
