package dev.outbox.testkit;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A broker and its controller in this JVM. */
final class EmbeddedKafka implements KafkaBroker {

    private final String bootstrapServers;

    private EmbeddedKafka(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    static EmbeddedKafka start() {
        var broker = new EmbeddedKafkaKraftBroker(1, 1);
        broker.brokerProperties(BrokerSettings.forReplicas(1));
        // The default would set spring.kafka.bootstrap-servers for the whole JVM, over what a test configures itself.
        broker.brokerListProperty("outbox.test.kafka");
        broker.afterPropertiesSet();
        ShutdownHook.of(broker::destroy);
        return new EmbeddedKafka(broker.getBrokersAsString());
    }

    @Override
    public String bootstrapServers() {
        return bootstrapServers;
    }
}
