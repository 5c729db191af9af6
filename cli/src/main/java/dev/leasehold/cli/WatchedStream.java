package dev.leasehold.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A stream that remembers why it could not be written to; a {@link java.io.PrintWriter} keeps only that. */
final class WatchedStream extends OutputStream {

    private static final String NO_READER = "Broken pipe";

    private final OutputStream to;
    private volatile @Nullable IOException failure;

    WatchedStream(OutputStream to) {
        this.to = to;
    }

    /** Why something was not written; empty too if the reader of a pipe has had enough, as head has. */
    Optional<String> lost() {
        IOException first = failure;
        return first == null
                ? Optional.empty()
                : Optional.of(String.valueOf(first.getMessage())).filter(why -> !why.contains(NO_READER));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            to.write(bytes, from, length);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }
}
