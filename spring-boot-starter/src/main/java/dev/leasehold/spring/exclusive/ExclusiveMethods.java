package dev.leasehold.spring.exclusive;

import dev.leasehold.LeaseRequest;
import dev.leasehold.rounds.Scope;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.Node;
import dev.leasehold.spring.text.AnnotationTexts;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The exclusive methods of an application, each read from its annotation once. Thread-safe. */
final class ExclusiveMethods {

    private final AnnotationTexts texts;
    private final Expressions expressions;
    private final Otherwise otherwise;
    private final Supplier<Node> node;
    private final Map<AnnotatedElementKey, ExclusiveMethod> known = new ConcurrentHashMap<>();

    ExclusiveMethods(ConfigurableListableBeanFactory beans, Supplier<Node> node) {
        this.texts = new AnnotationTexts(beans);
        this.expressions = new Expressions(beans);
        this.otherwise = new Otherwise(expressions);
        this.node = node;
    }

    /** The annotation of that method, or of one that it implements or overrides. */
    static Optional<Exclusive> annotation(Method method, Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        Exclusive found = AnnotatedElementUtils.findMergedAnnotation(specific, Exclusive.class);
        return Optional.ofNullable(
                found != null ? found : AnnotatedElementUtils.findMergedAnnotation(method, Exclusive.class));
    }

    /** As {@link #read}, once. */
    ExclusiveMethod of(Method method, Class<?> targetClass, @Nullable Object target) {
        var key = new AnnotatedElementKey(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
        ExclusiveMethod read = known.get(key);
        if (read == null) {
            read = read(method, targetClass, target);
            known.put(key, read);
        }
        return read;
    }

    /**
     * Reads the annotation.
     *
     * @throws IllegalArgumentException naming the method, the value and the rule
     */
    private ExclusiveMethod read(Method method, Class<?> targetClass, @Nullable Object target) {
        Exclusive exclusive = annotation(method, targetClass).orElseThrow();
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        var specimen = new Call(target, specific, Collections.nCopies(specific.getParameterCount(), null));
        try {
            return new ExclusiveMethod(
                    Methods.described(specific, targetClass),
                    name(exclusive, specimen),
                    texts.duration("ttl", exclusive.ttl()),
                    waitFor(exclusive),
                    exclusive.onLoss(),
                    otherwise.of(texts.text(exclusive.otherwise()), specimen));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "@Exclusive of " + Methods.described(specific, targetClass) + ": " + e.getMessage(), e);
        }
    }

    private NameExpression name(Exclusive exclusive, Call specimen) {
        String text = texts.text(exclusive.name())
                .orElseThrow(() -> new IllegalArgumentException("it has no name: say @Exclusive(\"name\")"));
        NameExpression name = expressions.template(text);
        if (!text.contains("#{")) {
            LeaseRequest unused = LeaseRequest.named(name.of(specimen));
        }
        return exclusive.scope() == Scope.CLUSTER
                ? name
                : call -> name.of(call) + "@" + node.get().name();
    }

    private Duration waitFor(Exclusive exclusive) {
        Duration waitFor = texts.duration("waitFor", exclusive.waitFor()).orElse(Duration.ZERO);
        if (waitFor.isNegative()) {
            throw new IllegalArgumentException("waitFor is " + exclusive.waitFor() + ", but must be zero or more");
        }
        return waitFor;
    }
}
