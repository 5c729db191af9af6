package dev.leasehold.watch.monitorsfile;

import dev.leasehold.watch.WatchProperties;
import dev.leasehold.watch.domains.Domains;
import dev.leasehold.watch.monitors.Monitors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Reads the file at start, before the web server listens, and makes the rows that came from it follow it. */
@Component
final class FollowMonitorsFile implements InitializingBean {

    private static final Logger log = LoggerFactory.getLogger(FollowMonitorsFile.class);

    private final WatchProperties properties;
    private final Monitors monitors;
    private final Domains domains;
    private final JdbcClient jdbc;
    private final TransactionOperations transaction;

    FollowMonitorsFile(
            WatchProperties properties,
            Monitors monitors,
            Domains domains,
            JdbcClient jdbc,
            TransactionOperations transaction) {
        this.properties = properties;
        this.monitors = monitors;
        this.domains = domains;
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    @Override
    public void afterPropertiesSet() {
        if (properties.monitorsFile() != null) {
            MonitorsFile file = MonitorsFile.read(properties.monitorsFile());
            transaction.executeWithoutResult(status -> follow(file));
            log.info(
                    "{}: {} monitors, {} domains",
                    properties.monitorsFile(),
                    file.monitors().size(),
                    file.domains().size());
        }
    }

    /** Instances that start at once take turns, or their upserts in different orders could deadlock. */
    private void follow(MonitorsFile file) {
        jdbc.sql("select pg_advisory_xact_lock(hashtext('leasehold-watch'), hashtext('monitors-file'))")
                .query((row, number) -> number)
                .single();
        monitors.follow(file.monitors());
        domains.follow(file.domains());
    }
}
