package dev.leasehold.doctor;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** The connections of one client, by what they do. */
record ClientCount(Client client, List<Session> sessions) {

    static final List<String> COLUMNS = List.of(
            "application",
            "client",
            "user",
            "database",
            "connections",
            "active",
            "idle",
            "idle_in_transaction",
            "unknown");

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
        return Words.table(COLUMNS, all(clients).stream().map(ClientCount::row).toList());
    }

    private List<String> row() {
        return List.of(
                client.application(),
                client.addressOrHidden(),
                client.role(),
                client.database(),
                Integer.toString(sessions.size()),
                count(SessionState.ACTIVE),
                count(SessionState.IDLE),
                count(SessionState.IDLE_IN_TRANSACTION),
                count(SessionState.UNKNOWN));
    }

    private String count(SessionState state) {
        return Long.toString(
                sessions.stream().filter(session -> session.state() == state).count());
    }
}
