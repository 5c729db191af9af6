package dev.leasehold.examples.shedlock;

import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Runs until it is stopped; start as many instances as you like. */
@SpringBootApplication
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "2h")
public class Application {

    /** Needs {@code spring.datasource.url}. */
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }
}
