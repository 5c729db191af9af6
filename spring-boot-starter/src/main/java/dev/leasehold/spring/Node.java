package dev.leasehold.spring;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** The node this instance runs on: {@code leasehold.node}, or the name of the host. */
public final class Node {

    private final @Nullable String configured;

    Node(@Nullable String configured) {
        this.configured = configured;
    }

    /**
     * Its name; a host is asked for its name no earlier than here.
     *
     * @throws IllegalStateException if it is not configured and the host does not know its own name
     */
    public String name() {
        if (configured != null) {
            return configured;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("this host does not know its own name: set the property leasehold.node", e);
        }
    }
}
