package dev.leasehold.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Runs until it is stopped; start as many instances as you like. */
@SpringBootApplication
@EnableScheduling
public class Application {

    /** Needs {@code spring.datasource.url}. */
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }
}
