package dev.outbox.benchmarks;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import tools.jackson.databind.json.JsonMapper;

/** A service with Namastack's starter, and a handler that publishes as their Kafka module's does. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class NamastackApplication {

    @Bean
    NamastackHandler namastackHandler(
            KafkaTemplate<String, byte[]> kafka, JsonMapper json, @Value("${benchmark.topic}") String topic) {
        return new NamastackHandler(
                order -> kafka.send(new ProducerRecord<>(topic, order.order(), json.writeValueAsBytes(order)))
                        .get());
    }
}
