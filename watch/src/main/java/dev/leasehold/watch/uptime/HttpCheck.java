package dev.leasehold.watch.uptime;

import dev.leasehold.watch.http.Exchange;
import dev.leasehold.watch.jobs.Causes;
import dev.leasehold.watch.jobs.NamedDaemons;
import dev.leasehold.watch.jobs.OneLine;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpGet;

/**
 * One GET of a monitor's URL, done by its total deadline whatever the target does.
 *
 * <p>Redirects are followed by hand, so that they share the deadline and each hop's name is looked up by {@link Names}.
 * The body is thrown away up to a limit. Each request has a connection of its own, which is
 * closed when the check ends, in whatever way.
 * Thread-safe; threads of its own, ended by {@link #close()}.
 */
final class HttpCheck implements AutoCloseable {

    private static final int REDIRECTS = 5;

    private final long bodyLimit;
    private final Routes routes;
    private final ExecutorService executor;
    private final Names names;

    HttpCheck(long bodyLimit, Platform platform, Supplier<Dns> dns, Routes routes) {
        this.bodyLimit = bodyLimit;
        this.routes = routes;
        this.executor = Executors.newCachedThreadPool(new NamedDaemons("uptime-http"));
        this.names = new Names(executor, platform, dns);
    }

    CheckResult check(Monitor monitor) throws InterruptedException {
        long start = System.nanoTime();
        Verdict verdict = Verdict.of(look(monitor));
        return new CheckResult(monitor.id(), monitor.url(), verdict, Duration.ofNanos(System.nanoTime() - start));
    }

    private Seen look(Monitor monitor) throws InterruptedException {
        Deadline deadline = Deadline.in(monitor.timeout());
        String url = monitor.url();
        URI at = URI.create("");
        for (int followed = 0; followed <= REDIRECTS; followed++) {
            try {
                at = at.resolve(url);
            } catch (IllegalArgumentException e) {
                return new Seen.NotAskable("not a URL: " + OneLine.of(url), followed > 0);
            }
            if (!isHttp(at)) {
                return new Seen.NotAskable("not an http or https URL with a host: " + OneLine.of(url), followed > 0);
            }
            Hop hop = ask(at, deadline);
            Optional<String> next = hop.next();
            if (next.isEmpty()) {
                return hop.seen();
            }
            url = next.get();
        }
        return new Seen.TooManyRedirects(REDIRECTS);
    }

    private static boolean isHttp(URI uri) {
        String scheme = uri.getScheme();
        return scheme != null
                && List.of("http", "https").contains(scheme.toLowerCase(Locale.ROOT))
                && uri.getHost() != null
                && uri.getPort() <= 65535;
    }

    private Hop ask(URI uri, Deadline deadline) throws InterruptedException {
        Names.Answer named = names.find(uri.getHost(), deadline);
        if (named instanceof Names.Answer.Not not) {
            return Hop.last(not.seen());
        }
        List<InetAddress> addresses = ((Names.Answer.Found) named).addresses();
        if (deadline.remainingNanos() == 0) {
            return Hop.last(new Seen.TimedOut("no connection"));
        }
        try (var exchange = new Exchange()) {
            Future<Exchange.Answer> answer = executor.submit(() -> exchange.ask(new HttpGet(uri), bodyLimit));
            try {
                return Hop.of(answer.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                return Hop.last(late(exchange.status()));
            } catch (ExecutionException e) {
                return Hop.last(failure(Causes.ofFuture(e), addresses, uri, exchange.status()));
            }
        }
    }

    private static Seen late(int status) {
        return new Seen.TimedOut(status == 0 ? "no answer" : "answered " + status + ", but the body did not end");
    }

    private Seen failure(Throwable cause, List<InetAddress> addresses, URI uri, int status) {
        if (Causes.chain(cause).anyMatch(UnknownHostException.class::isInstance)) {
            // The client looks the name up for itself once more, when what the first look-up gave may be forgotten.
            return new Seen.ResolverFailed(uri.getHost(), "it was found, and a moment later it was not");
        }
        if (cause instanceof ConnectTimeoutException) {
            return late(status);
        }
        if (cause instanceof SSLException) {
            return new Seen.Failed("TLS failed: " + OneLine.of(cause));
        }
        if (cause instanceof IOException && status == 0 && addresses.stream().noneMatch(routes::lead)) {
            return new Seen.NoRoute(uri.getHost());
        }
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            return new Seen.Failed("no connection: refused, or not reachable");
        }
        return new Seen.Failed("no HTTP answer: " + OneLine.of(cause));
    }

    /** Ends the threads once they are free; checks that still run end by their deadline. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** One request: what it saw, and where it leads if it is a redirect. */
    private record Hop(Seen seen, Optional<String> next) {

        static Hop last(Seen seen) {
            return new Hop(seen, Optional.empty());
        }

        static Hop of(Exchange.Answer answer) {
            boolean redirect = answer.status() >= 300 && answer.status() < 400;
            Seen seen = new Seen.Answered(answer.status());
            return redirect ? new Hop(seen, answer.location()) : last(seen);
        }
    }
}
