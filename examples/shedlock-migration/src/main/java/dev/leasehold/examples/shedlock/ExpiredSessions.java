package dev.leasehold.examples.shedlock;

import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Deletes sessions that have expired. */
@Component
class ExpiredSessions {

    private static final Logger log = LoggerFactory.getLogger(ExpiredSessions.class);

    private final JdbcTemplate jdbc;

    ExpiredSessions(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Scheduled(fixedRateString = "${expired-sessions.every}")
    @SchedulerLock(name = "expired-sessions", lockAtLeastFor = "${expired-sessions.at-least}")
    public void delete() {
        LockAssert.assertLocked();
        log.info("{} expired sessions deleted", jdbc.update("delete from session where expires_at < now()"));
    }
}
