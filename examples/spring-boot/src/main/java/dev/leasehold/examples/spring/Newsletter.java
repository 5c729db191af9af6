package dev.leasehold.examples.spring;

import dev.leasehold.spring.Exclusive;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class Newsletter {

    private static final Logger log = LoggerFactory.getLogger(Newsletter.class);

    @Scheduled(fixedDelay = 2, timeUnit = TimeUnit.SECONDS)
    @Exclusive("newsletter")
    void send() throws InterruptedException {
        for (int letter = 1; letter <= 10; letter++) {
            log.info("letter {} of 10", letter);
            Thread.sleep(500);
        }
    }
}
