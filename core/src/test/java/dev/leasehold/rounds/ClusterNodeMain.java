package dev.leasehold.rounds;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import java.time.Duration;

/** A node of the cluster test, which runs all its rounds until its input ends. */
final class ClusterNodeMain {

    private static final int CONNECTIONS = 4;

    private ClusterNodeMain() {}

    public static void main(String[] arguments) throws Exception {
        String jdbcUrl = arguments[0];
        String node = arguments[1];
        try (var pool = pool(jdbcUrl);
                // a record that only a crash of the server could lose
                var recordPool = pool(jdbcUrl + "&options=-csynchronous_commit=off");
                var leases = Leases.on(pool).ttl(ClusterRound.TTL).build()) {
            var records = new RunRecords(recordPool, node);
            var described = Rounds.on(leases).node(node);
            ClusterRound.ALL.forEach(round -> described.add(round.on(records)));
            var rounds = described.start();
            records.nodeStarted();
            while (System.in.read() >= 0) {
                // nothing is said
            }
            if (!rounds.stop(Duration.ofSeconds(20)).isEmpty()) {
                System.exit(1);
            }
        }
    }

    private static HikariDataSource pool(String jdbcUrl) {
        var config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }
}
