package dev.outbox.example.dev;

import dev.outbox.example.OrdersApplication;
import org.springframework.boot.SpringApplication;

/**
 * Runs the service in the profile {@code dev}: what is not configured, PostgreSQL or Kafka, is started beside it.
 *
 * <p>It lives among the tests so that the servers are on the class path here and never in the service's jar.
 */
public final class DevOrdersApplication {

    private DevOrdersApplication() {}

    public static void main(String[] args) {
        start(args);
    }

    static SpringApplication.Running start(String... args) {
        return SpringApplication.from(OrdersApplication::main)
                .withAdditionalProfiles("dev")
                .with(DevServers.class)
                .run(args);
    }
}
