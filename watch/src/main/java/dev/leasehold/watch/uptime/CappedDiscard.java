package dev.leasehold.watch.uptime;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Throws a body away and counts it; at the limit it is taken as read, and the connection is dropped. */
final class CappedDiscard implements BodySubscriber<Long> {

    private final long limit;
    private final CompletableFuture<Long> read = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    CappedDiscard(long limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Long> getBody() {
        return read;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            bytes += buffer.remaining();
        }
        if (bytes >= limit && subscription != null) {
            subscription.cancel();
            read.complete(bytes);
        }
    }

    @Override
    public void onError(Throwable failure) {
        read.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        read.complete(bytes);
    }
}
