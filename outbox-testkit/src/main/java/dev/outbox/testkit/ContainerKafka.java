package dev.outbox.testkit;

import org.testcontainers.kafka.KafkaContainer;

/** A broker in a container; Testcontainers removes it after the JVM. */
final class ContainerKafka implements KafkaBroker {

    private static final String IMAGE = "apache/kafka:4.1.1";

    private final String bootstrapServers;

    private ContainerKafka(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    @SuppressWarnings("resource") // the container lives as long as the JVM
    static ContainerKafka start() {
        var container = new KafkaContainer(IMAGE);
        BrokerSettings.forReplicas(1)
                .forEach((name, value) -> container.withEnv(BrokerSettings.environmentName(name), value));
        container.start();
        return new ContainerKafka(container.getBootstrapServers());
    }

    @Override
    public String bootstrapServers() {
        return bootstrapServers;
    }
}
