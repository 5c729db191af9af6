package dev.leasehold.watch.start;

import dev.leasehold.spring.database.PoolGauge;
import dev.leasehold.watch.nodes.ThisInstance;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The one line that says an instance is ready, and where. */
@Component
final class ReadyLine {

    private static final Logger log = LoggerFactory.getLogger(ReadyLine.class);

    private final ThisInstance instance;
    private final PoolGauge pool;

    ReadyLine(ThisInstance instance, DataSource dataSource) {
        this.instance = instance;
        this.pool = new PoolGauge(dataSource);
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        log.info("{} ready on {}, {}", instance.node(), instance.url(), pool.size());
    }
}
