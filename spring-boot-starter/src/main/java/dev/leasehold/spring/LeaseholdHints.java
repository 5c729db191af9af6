package dev.leasehold.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** What a native image has to keep: the DDL in the jar, and how virtual threads are made by a library for Java 17. */
final class LeaseholdHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("dev/leasehold/*.sql");
        hints.reflection()
                .registerType(Thread.class, MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerType(TypeReference.of("java.lang.Thread$Builder"), MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
