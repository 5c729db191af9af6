package dev.leasehold.watch.uptime;

import org.jspecify.annotations.Nullable;

/**
 * What a check says of a monitor, decided from what it saw. Pure.
 *
 * <p><b>Up</b>: a final 2xx or 3xx. <b>Down</b>: any other status, too many redirects, a redirect to what is not HTTP,
 * the deadline, a refused or broken connection, broken TLS, a name of which the DNS says that it does not exist.
 * <b>Unknown</b>: this node could not check, because the name look-up failed or did not end in time, or because it has
 * no route to the target.
 *
 * <p>What cannot be told apart: a resolver that fails because the target's own name servers are broken looks like one
 * that fails by itself, so it is unknown; a network that drops packets anywhere on the way looks like a target that
 * drops them, so it is down.
 *
 * @param status the final HTTP status, null where there was none
 */
record Verdict(Outcome outcome, @Nullable Integer status, String detail) {

    static Verdict of(Seen seen) {
        if (seen instanceof Seen.Answered answer) {
            boolean fine = answer.status() >= 200 && answer.status() < 400;
            return new Verdict(fine ? Outcome.UP : Outcome.DOWN, answer.status(), "answered " + answer.status());
        }
        if (seen instanceof Seen.TooManyRedirects redirects) {
            return down("more than " + redirects.followed() + " redirects");
        }
        if (seen instanceof Seen.TimedOut late) {
            return down("out of time: " + late.what());
        }
        if (seen instanceof Seen.Failed failed) {
            return down(failed.why());
        }
        if (seen instanceof Seen.NoSuchName missing) {
            return down("the name " + missing.host() + " does not exist or has no address");
        }
        if (seen instanceof Seen.ResolverFailed failed) {
            return unknown("could not look up " + failed.host() + ": " + failed.why());
        }
        if (seen instanceof Seen.NoRoute unreachable) {
            return unknown("this node has no route to " + unreachable.host());
        }
        if (seen instanceof Seen.NotAskable url) {
            return url.redirected() ? down(url.why()) : unknown(url.why());
        }
        throw new IllegalArgumentException("not a thing a check can see: " + seen);
    }

    private static Verdict down(String detail) {
        return new Verdict(Outcome.DOWN, null, detail);
    }

    private static Verdict unknown(String detail) {
        return new Verdict(Outcome.UNKNOWN, null, detail);
    }
}
