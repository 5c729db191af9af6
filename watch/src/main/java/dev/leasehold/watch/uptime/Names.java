package dev.leasehold.watch.uptime;

import dev.leasehold.watch.jobs.Causes;
import dev.leasehold.watch.jobs.OneLine;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/**
 * Looks names up by a deadline, and tells a name that does not exist from a resolver that fails.
 *
 * <p>The platform's look-up (hosts file, search list and all) decides what a name means, as for any other program of
 * the node. It blocks for as long as it likes, so it runs on a thread of its own, one a name at a time. Where it finds
 * nothing it does not say why in a form one could rely on; so the DNS is asked the same questions directly, and its
 * response codes say: the name does not exist if nothing that it may stand for does. Thread-safe.
 */
final class Names {

    private final Executor executor;
    private final Platform platform;
    private final Supplier<Dns> dns;
    private final Map<String, CompletableFuture<List<InetAddress>>> running = new ConcurrentHashMap<>();

    Names(Executor executor, Platform platform, Supplier<Dns> dns) {
        this.executor = executor;
        this.platform = platform;
        this.dns = dns;
    }

    /** Either addresses, at least one, or what was seen in their place. */
    sealed interface Answer {
        record Found(List<InetAddress> addresses) implements Answer {}

        record Not(Seen seen) implements Answer {}
    }

    Answer find(String host, Deadline deadline) throws InterruptedException {
        CompletableFuture<List<InetAddress>> lookup = running.computeIfAbsent(host, this::start);
        try {
            return new Answer.Found(lookup.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Answer.Not(new Seen.ResolverFailed(host, "no answer in time"));
        } catch (ExecutionException e) {
            return new Answer.Not(whyNot(host, deadline));
        }
    }

    private CompletableFuture<List<InetAddress>> start(String host) {
        var lookup = new CompletableFuture<List<InetAddress>>();
        executor.execute(() -> {
            try {
                lookup.complete(platform.addresses(host));
            } catch (UnknownHostException | RuntimeException e) {
                lookup.completeExceptionally(e);
            } finally {
                running.remove(host, lookup);
            }
        });
        return lookup;
    }

    private Seen whyNot(String host, Deadline deadline) throws InterruptedException {
        Dns asked = dns.get();
        LookupSession session =
                LookupSession.builder().resolver(asked.resolver()).build();
        try {
            for (Name name : asked.meaningsOf(host)) {
                for (int type : new int[] {Type.A, Type.AAAA}) {
                    if (exists(session, name, type, deadline)) {
                        return new Seen.ResolverFailed(host, "the DNS has the name, this node's resolver does not");
                    }
                }
            }
            return new Seen.NoSuchName(host);
        } catch (TextParseException e) {
            return new Seen.NoSuchName(host);
        } catch (TimeoutException e) {
            return new Seen.ResolverFailed(host, "no answer in time");
        } catch (ExecutionException e) {
            return new Seen.ResolverFailed(host, "the DNS look-up failed: " + OneLine.of(Causes.ofFuture(e)));
        }
    }

    private static boolean exists(LookupSession session, Name name, int type, Deadline deadline)
            throws InterruptedException, TimeoutException, ExecutionException {
        try {
            return !session.lookupAsync(name, type)
                    .toCompletableFuture()
                    .get(deadline.remainingNanos(), TimeUnit.NANOSECONDS)
                    .getRecords()
                    .isEmpty();
        } catch (ExecutionException e) {
            Throwable cause = Causes.ofFuture(e);
            if (cause instanceof NoSuchDomainException || cause instanceof NoSuchRRSetException) {
                return false;
            }
            throw e;
        }
    }
}
