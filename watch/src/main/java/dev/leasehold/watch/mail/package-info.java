/**
 * The mail security checks: about once a day each domain's SPF and DMARC records are looked up and judged.
 *
 * <p>Data flows one way: {@code MailConfiguration} wires the round, {@code MailJob} runs it, {@code DnsTxt} looks up,
 * {@code SpfRules} and {@code DmarcRules} decide, {@code MailStore} persists. No connection to the database is held
 * while the DNS is asked.
 *
 * <p><b>A look-up that failed says nothing.</b> SERVFAIL, a refusal, silence and a broken network are <em>unknown</em>;
 * only the DNS's own word that there is no such name or no such record is <em>missing</em>. A finding that a successful
 * look-up gave is kept, with its time, until another successful look-up gives a new one: unknown is stored only where
 * there was never anything better. A domain with a failed look-up is due again after a short while, behind those that
 * have waited longer, so that domains that always fail do not keep the others from their turn.
 */
@NullMarked
package dev.leasehold.watch.mail;

import org.jspecify.annotations.NullMarked;
