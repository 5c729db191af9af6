package dev.leasehold.spring.exclusive;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;

/** What a call returns that is skipped: nothing, something empty, or what its annotation says. */
final class Otherwise {

    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    private final Expressions expressions;

    Otherwise(Expressions expressions) {
        this.expressions = expressions;
    }

    /**
     * For a method of that specimen.
     *
     * @param declared what its annotation says; empty if nothing
     * @throws IllegalArgumentException if the annotation has to say what is returned, and does not
     */
    ValueExpression of(Optional<String> declared, Call specimen) {
        return of(declared, ResolvableType.forMethodReturnType(specimen.method()), specimen);
    }

    private ValueExpression of(Optional<String> declared, ResolvableType type, Call specimen) {
        Class<?> returned = type.toClass();
        if (isStage(returned)) {
            ValueExpression completed = of(declared, type.as(returned).getGeneric(), specimen);
            return new Completed(completed);
        }
        if (returned == Future.class) {
            throw new IllegalArgumentException(
                    "it returns a Future, whose end nobody is told of, and the lease would end before it:"
                            + " return a CompletableFuture");
        }
        if (isReactive(returned)) {
            throw new IllegalArgumentException(
                    "it returns a " + returned.getSimpleName()
                            + ", whose work begins after the method has ended, and its lease with it: subscribe inside the method");
        }
        if (declared.isPresent()) {
            return expressions.value(declared.get(), new TypeDescriptor(type, null, null), specimen);
        }
        Object empty = EMPTY.get(returned);
        if (empty == null && returned != void.class && returned != Void.class) {
            throw new IllegalArgumentException("it returns " + returned.getSimpleName()
                    + ": say what a skipped call returns by otherwise = \"...\"");
        }
        return call -> empty;
    }

    /** A stage that is completed with another value. */
    private record Completed(ValueExpression value) implements ValueExpression {

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // handed to the caller, who knows what it is
        public Object of(Call call) {
            return CompletableFuture.completedFuture(value.of(call));
        }
    }

    private static boolean isStage(Class<?> type) {
        return type == CompletionStage.class || type == CompletableFuture.class;
    }

    /** The registry counts stages among them, which hold no work back. */
    private static boolean isReactive(Class<?> type) {
        return Flow.Publisher.class.isAssignableFrom(type)
                || (!CompletionStage.class.isAssignableFrom(type)
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
    }
}
