package dev.leasehold.watch.mail;

import dev.leasehold.watch.jobs.NamedDaemons;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round: checks the domains that are due, several at a time, and writes each as soon as it is done. */
final class MailJob {

    private static final Logger log = LoggerFactory.getLogger(MailJob.class);

    private final MailProperties properties;
    private final MailStore store;
    private final Supplier<Txt> dns;

    /** What {@code dns} gives is got anew for each round. */
    MailJob(MailProperties properties, MailStore store, Supplier<Txt> dns) {
        this.properties = properties;
        this.store = store;
        this.dns = dns;
    }

    /** Ends early, leaving the rest due, when the lease is no longer held. */
    void run(BooleanSupplier held) throws InterruptedException {
        List<Domain> due = store.due(properties.recheckAfter(), properties.retryAfter(), properties.batch());
        if (due.isEmpty()) {
            return;
        }
        Txt txt = dns.get();
        ExecutorService workers = Executors.newFixedThreadPool(
                Math.min(properties.parallelism(), due.size()), new NamedDaemons("mail-check"));
        try {
            var checks = new ExecutorCompletionService<Checked>(workers);
            due.forEach(domain -> checks.submit(() -> check(domain, txt)));
            for (int missing = due.size(); missing > 0 && held.getAsBoolean(); missing--) {
                saveNext(checks);
            }
        } finally {
            workers.shutdownNow();
        }
    }

    private static Checked check(Domain domain, Txt txt) throws InterruptedException {
        try {
            TxtAnswer atDomain = txt.of(domain.name());
            Finding spf = new SpfRules(txt).judge(atDomain);
            Finding dmarc = new DmarcRules(txt).judge(domain.name(), DmarcRules.Existence.by(atDomain));
            return new Checked(domain, List.of(spf, dmarc));
        } catch (RuntimeException e) {
            // Counted like a failed look-up: a domain that trips us every time must not stay at the head of the queue.
            log.warn("the mail security check of {} failed by itself", domain.name(), e);
            return new Checked(domain, List.of(failed("spf"), failed("dmarc")));
        }
    }

    private static Finding failed(String subject) {
        return new Finding(subject, Status.UNKNOWN, null, "The check failed by itself; the log says why.");
    }

    private void saveNext(CompletionService<Checked> checks) throws InterruptedException {
        try {
            Checked done = checks.take().get();
            store.save(done.domain(), done.findings());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a mail security check ended unexpectedly", e.getCause());
        }
    }

    private record Checked(Domain domain, List<Finding> findings) {}
}
