package dev.leasehold.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Signals that this process gets. Java's class for them, {@code sun.misc.Signal} of the module {@code jdk.unsupported}, is found
 * by its name: the compiler warns of each use, and this warning can't be switched off.
 */
final class ProcessSignals {

    private ProcessSignals() {}

    /**
     * Hands each signal of that name to a handler, with its number; it runs on a thread of its own. HUP, INT and TERM stay ignored
     * if they were when this process began (as {@code nohup} does), and so they are for what it starts; the JVM looks after that for
     * these three only, and others are handled all the same.
     *
     * @return whether the signal can be handled; the JVM keeps some for itself
     */
    static boolean handle(String name, IntConsumer handler) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object signal = signalType.getConstructor(String.class).newInstance(name);
            int number = (int) signalType.getMethod("getNumber").invoke(signal);
            Object proxy = Proxy.newProxyInstance(
                    ProcessSignals.class.getClassLoader(),
                    new Class<?>[] {handlerType},
                    (self, method, arguments) -> switch (method.getName()) {
                        case "handle" -> accept(handler, number);
                        case "equals" -> arguments != null && self == arguments[0];
                        case "hashCode" -> System.identityHashCode(self);
                        default -> name;
                    });
            signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, proxy);
            return true;
        } catch (InvocationTargetException e) {
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal: " + e, e);
        }
    }

    private static @Nullable Object accept(IntConsumer handler, int number) {
        handler.accept(number);
        return null;
    }
}
