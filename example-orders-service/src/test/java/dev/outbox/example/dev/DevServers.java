package dev.outbox.example.dev;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** The servers that the service needs, each one only if none is configured. */
@TestConfiguration(proxyBeanMethods = false)
@Profile("dev")
@Import({DevServers.Database.class, DevServers.Broker.class, DevWelcome.class})
class DevServers {

    @TestConfiguration(proxyBeanMethods = false)
    @Conditional(NotConfigured.Database.class)
    static class Database {

        @Bean
        EmbeddedPostgres embeddedPostgres() throws IOException {
            // The server's own hook would stop it while the service is still writing its last marks.
            return EmbeddedPostgres.builder().setRegisterShutdownHook(false).start();
        }

        @Bean
        JdbcConnectionDetails embeddedPostgresConnectionDetails(EmbeddedPostgres server) {
            return new JdbcConnectionDetails() {
                @Override
                public String getJdbcUrl() {
                    return "jdbc:postgresql://localhost:%d/postgres".formatted(server.getPort());
                }

                @Override
                public String getUsername() {
                    return "postgres";
                }

                @Override
                public String getPassword() {
                    return "postgres";
                }
            };
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    @Conditional(NotConfigured.Broker.class)
    @Import(DevBrokerEndpoints.class)
    static class Broker {

        private static final int PARTITIONS = 6;

        @Bean
        DevBroker devBroker() throws IOException {
            return DevBroker.create();
        }

        @Bean
        KafkaConnectionDetails devBrokerConnectionDetails(DevBroker broker) {
            return () -> List.of(broker.bootstrapServers());
        }

        @Bean
        KafkaAdmin.NewTopics orderTopics() {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name("orders.v1").partitions(PARTITIONS).build());
        }
    }
}
