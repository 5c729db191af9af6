package dev.leasehold.spring.exclusive;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of exclusive methods that go past the proxy: {@code this.method()} and {@code this::method}, for methods without
 * parameters, whose receiver stands just before the call in the class file. Other calls within a bean are not found.
 */
final class SelfCalls {

    private static final Logger log = LoggerFactory.getLogger(SelfCalls.class);

    private SelfCalls() {}

    /**
     * Looks at the class, and at those it inherits from.
     *
     * @throws IllegalStateException for such a call, unless it comes from another exclusive method; names the two
     */
    static void refuse(Class<?> type, Set<Method> exclusive) {
        Set<String> signatures = exclusive.stream()
                .filter(method -> method.getParameterCount() == 0)
                .map(SelfCalls::signature)
                .collect(Collectors.toSet());
        Set<String> callers = exclusive.stream().map(SelfCalls::signature).collect(Collectors.toSet());
        if (signatures.isEmpty()) {
            return;
        }
        for (Class<?> one = ClassUtils.getUserClass(type);
                one != null && one != Object.class;
                one = one.getSuperclass()) {
            read(one, signatures, callers);
        }
    }

    private static String signature(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    private static void read(Class<?> type, Set<String> signatures, Set<String> callers) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream bytes = type.getResourceAsStream(file)) {
            if (bytes != null) {
                new ClassReader(bytes)
                        .accept(
                                new Classes(type, signatures, callers),
                                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | UnsupportedOperationException e) {
            log.debug("the class file of {} cannot be read, so self-calls in it are not found", type.getName(), e);
        }
    }

    private static final class Classes extends ClassVisitor {

        private final Class<?> type;
        private final Set<String> signatures;
        private final Set<String> callers;

        Classes(Class<?> type, Set<String> signatures, Set<String> callers) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.signatures = signatures;
            this.callers = callers;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String generic, String @Nullable [] exceptions) {
            boolean hasThis = (access & Opcodes.ACC_STATIC) == 0;
            return hasThis && !callers.contains(name + descriptor) ? new Calls(name) : null;
        }

        /** Anything between the load of {@code this} and the call makes it another receiver. */
        private final class Calls extends MethodVisitor {

            private final String caller;
            private boolean isThis;

            Calls(String caller) {
                super(SpringAsmInfo.ASM_VERSION);
                this.caller = caller;
            }

            @Override
            public void visitVarInsn(int opcode, int variable) {
                isThis = opcode == Opcodes.ALOAD && variable == 0;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (isThis && opcode != Opcodes.INVOKESTATIC && signatures.contains(name + descriptor)) {
                    throw refused(name);
                }
                isThis = false;
            }

            @Override
            public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
                for (Object argument : arguments) {
                    if (isThis
                            && argument instanceof Handle handle
                            && signatures.contains(handle.getName() + handle.getDesc())) {
                        throw refused(handle.getName());
                    }
                }
                isThis = false;
            }

            @Override
            public void visitInsn(int opcode) {
                isThis = false;
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                isThis = false;
            }

            @Override
            public void visitTypeInsn(int opcode, String name) {
                isThis = false;
            }

            @Override
            public void visitLdcInsn(Object value) {
                isThis = false;
            }

            private IllegalStateException refused(String called) {
                String name = type.getSimpleName();
                return new IllegalStateException("@Exclusive of " + name + "." + called + "(): " + name + "." + caller
                        + " calls it by this, past the proxy, so it would run without a lease: call it on the bean, from another"
                        + " one, or annotate the caller");
            }
        }
    }
}
