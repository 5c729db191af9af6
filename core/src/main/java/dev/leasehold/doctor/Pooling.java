package dev.leasehold.doctor;

import java.util.Optional;
import java.util.Set;

/**
 * What stands between the client and the server.
 *
 * @param handshake the server process that the handshake named, if the driver tells
 * @param served the processes that have really served the connection and a second one
 * @param prepareThreshold of the driver, if it tells; 0 for never
 * @param keepsStatements whether the pooler was seen to keep prepared statements apart
 */
record Pooling(
        Mode mode,
        Optional<Integer> handshake,
        Set<Integer> served,
        Optional<Integer> prepareThreshold,
        boolean keepsStatements) {

    enum Mode {
        /** Nothing was seen. */
        NONE,
        /** A connection keeps its server process, as far as was seen. */
        SESSION,
        /** One server process serves several connections. */
        TRANSACTION,
        /** Something is between, and its mode could not be found out. */
        UNKNOWN
    }

    Pooling {
        served = Set.copyOf(served);
    }
}
