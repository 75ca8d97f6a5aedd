package dev.outbox.example.dev;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Says where everything is once the service is up, and what to try. */
@TestConfiguration(proxyBeanMethods = false)
class DevWelcome {

    private static final Logger LOG = LoggerFactory.getLogger(DevWelcome.class);

    private static final String PLACES = """
            Everything is up and ends with this process (Ctrl-C).

              Page        %1$s/
              Metrics     %1$s/actuator/prometheus
              PostgreSQL  %2$s (user %3$s)
              Kafka       %4$s

            Place an order, confirm it and look at its invoice, on the page or with curl:

              curl -s %1$s/orders -H 'Content-Type: application/json' -d '{"customer":"Ada","amountCents":1250}'
              curl -s -X POST %1$s/orders/ID/confirm
              curl -s '%1$s/invoices?orderId=ID'
            """;

    private static final String BROKER = """

            The broker is process %2$d and writes to %3$s.
            Kill it, confirm more orders and watch the backlog grow; start it and watch the backlog drain:

              kill -9 %2$d    (or: curl -s -X POST %1$s/dev/broker/kill)
              curl -s %1$s/actuator/metrics/outbox.backlog
              curl -s -X POST %1$s/dev/broker/start
            """;

    @Bean
    ApplicationRunner welcome(
            Environment environment,
            JdbcConnectionDetails database,
            KafkaConnectionDetails kafka,
            ObjectProvider<DevBroker> embeddedBroker) {
        return arguments -> {
            String url = "http://localhost:" + environment.getProperty("local.server.port");
            StringBuilder text = new StringBuilder(PLACES.formatted(
                    url, database.getJdbcUrl(), database.getUsername(), String.join(",", kafka.getBootstrapServers())));
            embeddedBroker.ifAvailable(broker ->
                    broker.pid().ifPresent(pid -> text.append(BROKER.formatted(url, pid, broker.log()))));
            LOG.info("{}", text);
        };
    }
}
