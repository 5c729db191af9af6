package dev.leasehold.spring.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClassFileTest {

    static class Calls {
        public void all() {
            sweep();
        }

        public void sweep() {}
    }

    @Test
    void callsOnTheObjectItselfAreFound() {
        assertThat(ClassFile.calls(Calls.class)).contains(new ClassFile.Called("all()V", "sweep()V"));
    }

    /** The compiler may be newer than Spring. */
    @Test
    void aClassFileThatCannotBeReadTellsOfNone() throws ClassNotFoundException {
        Class<?> newer = new Newer(Calls.class).loadClass(Calls.class.getName());
        assertThat(newer).isNotSameAs(Calls.class);
        assertThat(ClassFile.calls(newer)).isEmpty();
    }

    /** Shows the file of one class as if it had a constant of a kind yet to come. */
    private static final class Newer extends ClassLoader {

        /** Its kind, after magic number, versions and the count of constants. */
        private static final int FIRST_CONSTANT = 10;

        private final Class<?> type;

        Newer(Class<?> type) {
            super(type.getClassLoader());
            this.type = type;
        }

        private byte[] bytes() {
            String file = "/" + type.getName().replace('.', '/') + ".class";
            try (InputStream bytes = Objects.requireNonNull(type.getResourceAsStream(file))) {
                return bytes.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(type.getName())) {
                return super.loadClass(name, resolve);
            }
            byte[] bytes = bytes();
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            byte[] bytes = bytes();
            bytes[FIRST_CONSTANT] = 99;
            return new ByteArrayInputStream(bytes);
        }
    }
}
