package dev.leasehold.rounds;

import dev.leasehold.testkit.TestDatabase;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** What a server has written into its log, a message with its detail, context and statement in one. */
record ServerMessages(List<String> all) {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");
    private static final int TIME_LENGTH = 23;

    static ServerMessages of(TestDatabase database) {
        var all = new ArrayList<String>();
        for (String line : database.serverLog()) {
            boolean goesOn =
                    line.startsWith("\t") || line.matches("[^A-Z]*UTC \\[\\d+] (DETAIL|HINT|CONTEXT|STATEMENT): .*");
            if (goesOn && !all.isEmpty()) {
                all.set(all.size() - 1, all.get(all.size() - 1) + "\n" + line);
            } else {
                all.add(line);
            }
        }
        return new ServerMessages(List.copyOf(all));
    }

    /** Those that were not written in these times. */
    ServerMessages without(List<Span> times) {
        return new ServerMessages(all.stream()
                .filter(message -> !message.matches("(?s)\\d{4}-.{19} UTC .*")
                        || times.stream().noneMatch(time -> time.contains(at(message))))
                .toList());
    }

    private static Instant at(String message) {
        return LocalDateTime.parse(message.substring(0, TIME_LENGTH), TIME).toInstant(ZoneOffset.UTC);
    }

    List<String> errors() {
        return with("ERROR");
    }

    /** Of the server with {@code log_lock_waits}: each wait for a lock that took longer than {@code deadlock_timeout}. */
    List<String> lockWaits() {
        return with(" still waiting for ");
    }

    private List<String> with(String text) {
        return all.stream().filter(message -> message.contains(text)).toList();
    }
}
