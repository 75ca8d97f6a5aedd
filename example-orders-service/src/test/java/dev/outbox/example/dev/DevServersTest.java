package dev.outbox.example.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DevServersTest {

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, KafkaAutoConfiguration.class))
            .withUserConfiguration(DevServers.class);

    @Test
    void serversThatAreConfiguredAreNotStarted() {
        service.withPropertyValues(
                        "spring.profiles.active=dev",
                        "spring.datasource.url=jdbc:postgresql://db.example.org/orders",
                        "spring.kafka.bootstrap-servers[0]=kafka.example.org:9092")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(EmbeddedPostgres.class)
                        .doesNotHaveBean(DevBroker.class));
    }

    @Test
    void withoutTheProfileNothingIsStarted() {
        service.withPropertyValues("spring.datasource.url=jdbc:postgresql://db.example.org/orders")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(EmbeddedPostgres.class)
                        .doesNotHaveBean(DevBroker.class));
    }
}
