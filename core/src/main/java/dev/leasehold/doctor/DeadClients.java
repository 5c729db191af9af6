package dev.leasehold.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** For how long the session of a client lives on that has vanished without a word: its machine or its network is gone. */
final class DeadClients {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String LIMIT = "idle_in_transaction_session_timeout";

    private DeadClients() {}

    /** @param lockers idle sessions that hold advisory locks */
    static List<Finding> judge(Map<String, Setting> settings, long lockers) {
        Optional<Duration> noticed = noticed(settings);
        if (noticed.isPresent() && noticed.get().compareTo(LONG) <= 0) {
            return List.of();
        }
        String after = noticed.map(Ages::text).orElse("the system's default, 2 h 11 min on Linux");
        boolean isEndless = Optional.ofNullable(settings.get(LIMIT))
                .flatMap(Setting::timeout)
                .isEmpty();
        return List.of(new Finding(
                FindingKind.SETTINGS,
                lockers > 0 ? Severity.RISK : Severity.INFORMATION,
                "the session of a client that vanishes lives on for " + after
                        + (lockers > 0
                                ? ", and " + Counted.text(lockers, "idle session") + " hold" + (lockers == 1 ? "s" : "")
                                        + " advisory locks"
                                : ""),
                Evidence.of(
                        Column.texts("setting", "value", "source"),
                        Stream.of("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", LIMIT)
                                .flatMap(name -> Optional.ofNullable(settings.get(name)).stream())
                                .map(setting -> List.<Object>of(setting.name(), setting.value(), setting.source()))
                                .toList()),
                "When a machine loses its power or its network, the server keeps its sessions, with their advisory locks, until"
                        + " TCP notices."
                        + (isEndless ? " No time-out ends their open transactions sooner." : ""),
                remedy(isEndless)));
    }

    private static Remedy remedy(boolean isEndless) {
        var sql = new ArrayList<>(List.of(
                "alter system set tcp_keepalives_idle = 60;",
                "alter system set tcp_keepalives_interval = 10;",
                "alter system set tcp_keepalives_count = 6;"));
        if (isEndless) {
            sql.add("alter system set " + LIMIT + " = '10min';");
        }
        sql.add("select pg_reload_conf();");
        return Remedy.now(
                "Let the server notice it within two minutes"
                        + (isEndless ? ", and end transactions that are idle for ten." : "."),
                sql);
    }

    /** Empty if the server does not tell: through a Unix socket it knows no keepalives. */
    private static Optional<Duration> noticed(Map<String, Setting> settings) {
        Optional<Long> idle = number(settings, "tcp_keepalives_idle");
        Optional<Long> interval = number(settings, "tcp_keepalives_interval");
        Optional<Long> count = number(settings, "tcp_keepalives_count");
        if (idle.isEmpty() || interval.isEmpty() || count.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds(idle.get() + interval.get() * count.get()));
    }

    private static Optional<Long> number(Map<String, Setting> settings, String name) {
        return Optional.ofNullable(settings.get(name))
                .map(Setting::value)
                .filter(value -> value.matches("[1-9]\\d{0,9}"))
                .map(Long::valueOf);
    }
}
