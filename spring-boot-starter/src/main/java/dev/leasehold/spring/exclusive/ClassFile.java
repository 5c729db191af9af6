package dev.leasehold.spring.exclusive;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/** What a class file tells of the calls that a class, its lambdas and its inner classes make on the object itself. */
final class ClassFile {

    private static final Logger log = LoggerFactory.getLogger(ClassFile.class);

    private final String outer;
    private final List<Called> calls = new ArrayList<>();
    private final Set<String> read = new HashSet<>();
    /** What a lambda, or a class within a method, was written in. */
    private final Map<String, String> writtenIn = new HashMap<>();

    private ClassFile(String outer) {
        this.outer = outer;
    }

    /** Both by name and descriptor; a caller in an inner class after the name of that. */
    record Called(String caller, String called) {}

    /** All calls whose receiver stands just before them, which is so for methods without parameters. */
    static List<Called> calls(Class<?> type) {
        var file = new ClassFile(type.getName().replace('.', '/'));
        file.read(type, file.outer);
        return file.calls.stream()
                .map(call -> new Called(file.writtenIn(call.caller()), call.called()))
                .toList();
    }

    private String writtenIn(String method) {
        String at = method;
        for (String next = writtenIn.get(at); next != null; next = writtenIn.get(at)) {
            at = next;
        }
        return at.startsWith(outer + " ") ? at.substring(outer.length() + 1) : at;
    }

    private void read(Class<?> type, String name) {
        if (!read.add(name)) {
            return;
        }
        try (InputStream bytes = type.getResourceAsStream("/" + name + ".class")) {
            if (bytes != null) {
                new ClassReader(bytes)
                        .accept(new Classes(type, name), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException e) { // as the reader has for what it does not know
            log.debug("the class file of {} cannot be read, so self-calls in it are not found", name, e);
        }
    }

    private final class Classes extends ClassVisitor {

        private final Class<?> type;
        private final String name;
        private @Nullable String method;

        Classes(Class<?> type, String name) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.name = name;
        }

        @Override
        public void visitOuterClass(String owner, @Nullable String method, @Nullable String descriptor) {
            this.method = method == null ? null : owner + " " + method + descriptor;
        }

        @Override
        public void visitInnerClass(String inner, @Nullable String outerName, @Nullable String innerName, int access) {
            if (inner.startsWith(outer + "$") && (access & Opcodes.ACC_STATIC) == 0) {
                read(type, inner);
            }
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String generic,
                String @Nullable [] exceptions) {
            if ((access & Opcodes.ACC_STATIC) != 0) {
                return null;
            }
            String caller = name + " " + method + descriptor;
            if (this.method != null) {
                writtenIn.put(caller, this.method);
            }
            return new Calls(name, caller);
        }
    }

    /** Anything between the load of the object and the call makes it another receiver. */
    private final class Calls extends MethodVisitor {

        private final String type;
        private final String caller;
        private boolean isObject;

        Calls(String type, String caller) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.caller = caller;
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            isObject = opcode == Opcodes.ALOAD && variable == 0 && type.equals(outer);
        }

        /** An inner class keeps the object it belongs to in a field. */
        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            isObject = opcode == Opcodes.GETFIELD && name.startsWith("this$") && descriptor.equals("L" + outer + ";");
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (isObject && opcode != Opcodes.INVOKESTATIC) {
                calls.add(new Called(caller, name + descriptor));
            }
            isObject = false;
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    String method = handle.getName() + handle.getDesc();
                    if (handle.getName().startsWith("lambda$")) {
                        writtenIn.put(handle.getOwner() + " " + method, caller);
                    } else if (isObject) {
                        calls.add(new Called(caller, method));
                    }
                }
            }
            isObject = false;
        }

        @Override
        public void visitInsn(int opcode) {
            isObject = false;
        }

        @Override
        public void visitTypeInsn(int opcode, String name) {
            isObject = false;
        }

        @Override
        public void visitLdcInsn(Object value) {
            isObject = false;
        }
    }
}
