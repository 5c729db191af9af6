package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.number;
import static dev.leasehold.doctor.Column.text;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** The connections of one client, by what they do. */
record ClientCount(Client client, List<Session> sessions) {

    static final List<Column> COLUMNS = List.of(
            text("application"),
            text("client"),
            text("user"),
            text("database"),
            number("connections"),
            number("active"),
            number("idle"),
            number("idle_in_transaction"),
            number("unknown"));

    /** Those with the most connections first. */
    static List<ClientCount> all(List<Session> clients) {
        return clients.stream()
                .collect(Collectors.groupingBy(Session::client, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(entry -> new ClientCount(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(
                                (ClientCount count) -> count.sessions().size())
                        .reversed())
                .toList();
    }

    static Evidence table(List<Session> clients) {
        return Evidence.of(COLUMNS, all(clients).stream().map(ClientCount::row).toList());
    }

    private List<Object> row() {
        return List.of(
                client.application(),
                client.addressOrHidden(),
                client.role(),
                client.database(),
                sessions.size(),
                count(SessionState.ACTIVE),
                count(SessionState.IDLE),
                count(SessionState.IDLE_IN_TRANSACTION),
                count(SessionState.UNKNOWN));
    }

    private long count(SessionState state) {
        return sessions.stream().filter(session -> session.state() == state).count();
    }
}
