package dev.leasehold.watch.uptime;

/** What a check saw on the network, before anything is made of it. */
sealed interface Seen {

    /** A final answer, its body read to the end or to the limit. */
    record Answered(int status) implements Seen {}

    /** A redirect too many. */
    record TooManyRedirects(int followed) implements Seen {}

    /** The deadline passed while the target was asked; what says how far it had come. */
    record TimedOut(String what) implements Seen {}

    /** Refused, reset, broken TLS, no HTTP: the target did not answer as it should. */
    record Failed(String why) implements Seen {}

    /** The DNS says that the name does not exist or has no address. */
    record NoSuchName(String host) implements Seen {}

    /** The name could not be looked up: that says nothing of the target. */
    record ResolverFailed(String host, String why) implements Seen {}

    /** This node has no route to any of the target's addresses: it would not reach it if it were up. */
    record NoRoute(String host) implements Seen {}

    /** The monitor's URL, or one it redirects to, cannot be asked at all. */
    record NotAskable(String why, boolean redirected) implements Seen {}
}
