package dev.leasehold.watch.mail;

import dev.leasehold.watch.jobs.Causes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/**
 * Asks a resolver over UDP, over TCP where an answer is cut, and follows aliases. Each look-up is done by its deadline,
 * within which a lost packet is asked for once more. Nothing is remembered between look-ups. Thread-safe.
 */
final class DnsTxt implements Txt {

    private final LookupSession session;
    private final Duration timeout;

    private DnsTxt(Resolver resolver, Duration timeout) {
        this.session = LookupSession.builder().resolver(resolver).build();
        this.timeout = timeout;
    }

    /** At the server given, or at those the system names now. */
    static DnsTxt at(@Nullable InetSocketAddress server, Duration timeout) {
        ExtendedResolver resolver;
        if (server == null) {
            ResolverConfig.refresh();
            resolver = new ExtendedResolver();
        } else {
            resolver = new ExtendedResolver(List.of(new SimpleResolver(server)));
        }
        resolver.setTimeout(timeout);
        for (Resolver one : resolver.getResolvers()) {
            one.setTimeout(timeout.dividedBy(2));
        }
        return new DnsTxt(resolver, timeout);
    }

    @Override
    public TxtAnswer of(String name) throws InterruptedException {
        try {
            List<Record> records = session.lookupAsync(Name.fromString(name, Name.root), Type.TXT)
                    .toCompletableFuture()
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .getRecords();
            List<String> texts = records.stream()
                    .filter(TXTRecord.class::isInstance)
                    .map(record -> joined((TXTRecord) record))
                    .toList();
            return texts.isEmpty() ? new TxtAnswer.NoRecord() : new TxtAnswer.Texts(texts);
        } catch (TextParseException e) {
            return new TxtAnswer.Failed("not a name that can be looked up");
        } catch (TimeoutException e) {
            return new TxtAnswer.Failed("no answer in time");
        } catch (ExecutionException e) {
            return answer(e);
        }
    }

    private static TxtAnswer answer(Throwable failure) {
        Throwable cause = Causes.ofFuture(failure);
        if (cause instanceof NoSuchDomainException) {
            return new TxtAnswer.NoSuchName();
        }
        if (cause instanceof NoSuchRRSetException) {
            return new TxtAnswer.NoRecord();
        }
        if (cause instanceof IOException) {
            return new TxtAnswer.Failed("no answer from the resolver");
        }
        return new TxtAnswer.Failed(
                "the resolver answered with an error (" + cause.getClass().getSimpleName() + ")");
    }

    /** A byte a character: what is not ASCII stays visible as such, and nothing is lost. */
    private static String joined(TXTRecord record) {
        StringBuilder text = new StringBuilder();
        for (byte[] string : record.getStringsAsByteArrays()) {
            text.append(new String(string, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }
}
