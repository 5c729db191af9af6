package dev.leasehold.doctor;

import dev.leasehold.doctor.Pooling.Mode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a pooler by what it cannot hide: the process that serves a connection is not the one that the handshake named, and one
 * process serves two connections that are open at once. Sets nothing that could stay behind on a connection of others, and
 * never has two transactions at a time: the pooler may have one connection for all.
 */
final class PoolerProbe {

    /** By turns that no round robin repeats. */
    private static final List<Boolean> TURNS_OF_SECOND = List.of(true, true, false, false, true, false, true);

    private static final Pattern PORT = Pattern.compile(":(\\d{1,5})(?=[/,?]|$)");

    private PoolerProbe() {}

    /** @param connection outside of a transaction, with autocommit */
    static Pooling look(Connection connection, Look.From from) throws SQLException {
        Optional<Integer> handshake = PgDriver.backendPid(connection);
        Answer first = Answer.of(connection);
        boolean isBetween = handshake
                .map(pid -> pid != first.pid())
                .orElse(!ports(connection).contains(first.port()));
        var served = new LinkedHashSet<>(Set.of(first.pid()));
        Mode mode = isBetween ? mode(connection, from, handshake, served) : Mode.NONE;
        if (handshake.isEmpty() && mode != Mode.TRANSACTION) {
            mode = Mode.NONE; // a forwarded port looks the same
        }
        return new Pooling(mode, handshake, served, PgDriver.prepareThreshold(connection), first.keepsStatements());
    }

    private static Mode mode(Connection connection, Look.From from, Optional<Integer> handshake, Set<Integer> served)
            throws SQLException {
        int mine = served.iterator().next();
        try (var second = new SecondConnection(from, handshake)) {
            for (boolean isTurnOfSecond : TURNS_OF_SECOND) {
                Optional<Integer> pid = isTurnOfSecond
                        ? second.backendPid()
                        : Optional.of(Answer.of(connection).pid());
                if (pid.isEmpty()) {
                    return Mode.UNKNOWN;
                }
                served.add(pid.get());
                if (isTurnOfSecond == (pid.get() == mine)) {
                    return Mode.TRANSACTION;
                }
            }
        }
        return Mode.SESSION;
    }

    /** @param port that the server listens on; 0 for a Unix socket, through which no driver of Java comes by itself */
    private record Answer(int pid, int port, boolean keepsStatements) {

        static Answer of(Connection connection) throws SQLException {
            try (var statement = connection.createStatement()) {
                statement.setQueryTimeout(Look.BOUND_SECONDS);
                try (var row = statement.executeQuery(DoctorSql.BACKEND)) {
                    row.next();
                    return new Answer(row.getInt("pid"), row.getInt("port"), row.getBoolean("keeps_statements"));
                }
            }
        }
    }

    private static Set<Integer> ports(Connection connection) throws SQLException {
        var ports = new LinkedHashSet<Integer>();
        String url = connection.getMetaData().getURL();
        Matcher matcher = PORT.matcher(url == null ? "" : url);
        while (matcher.find()) {
            ports.add(Integer.valueOf(matcher.group(1)));
        }
        return ports;
    }
}
