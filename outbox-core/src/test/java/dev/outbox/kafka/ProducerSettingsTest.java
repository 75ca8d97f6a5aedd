package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.AppendLimits;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProducerSettingsTest {

    private static final Map<String, Object> MINIMAL = Map.of("bootstrap.servers", "localhost:9092");

    @Test
    void completesWhatIsMissing() {
        assertThat(ProducerSettings.enforce(MINIMAL))
                .containsEntry("bootstrap.servers", "localhost:9092")
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("key.serializer", ByteArraySerializer.class)
                .containsEntry("value.serializer", ByteArraySerializer.class)
                .containsEntry("delivery.timeout.ms", 30_000)
                .containsEntry("max.block.ms", 5_000L)
                .containsEntry("request.timeout.ms", 10_000)
                .containsEntry("linger.ms", 0L)
                .containsEntry("compression.type", "zstd");
        assertThatCode(() -> new ProducerConfig(ProducerSettings.enforce(MINIMAL)))
                .doesNotThrowAnyException();
    }

    @Test
    void keepsWhatIsConfiguredAndTheGivenMapAsItIs() {
        Map<String, Object> configured = new HashMap<>(MINIMAL);
        configured.put("acks", "-1");
        configured.put("enable.idempotence", true);
        configured.put("delivery.timeout.ms", "60000");
        configured.put("max.block.ms", "1000");
        configured.put("compression.type", "lz4");
        configured.put("key.serializer", "com.example.Serializer");
        Map<String, Object> before = Map.copyOf(configured);

        Map<String, Object> settings = ProducerSettings.enforce(configured);

        assertThat(configured).isEqualTo(before);
        assertThat(settings)
                .containsEntry("acks", "-1")
                .containsEntry("delivery.timeout.ms", "60000")
                .containsEntry("compression.type", "lz4")
                .containsEntry("key.serializer", ByteArraySerializer.class);
        assertThat(ProducerSettings.publishTimeout(settings)).isEqualTo(61_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            acks | 1 | must be all: an event counts as published only when every in-sync replica has it
            acks | 0 | must be all: an event counts as published only when every in-sync replica has it
            enable.idempotence | false | must be true: without it the client's own retries can reorder
            transactional.id | orders | must not be set: the relay ends no transaction
            retries | 0 | must be positive: a lost connection would cost an attempt
            """)
    void refusesAWeakSettingByNameAndReason(String name, String value, String reason) {
        Map<String, Object> configured = new HashMap<>(MINIMAL);
        configured.put(name, value);

        assertThatExceptionOfType(WeakProducerSettingException.class)
                .isThrownBy(() -> ProducerSettings.enforce(configured))
                .withMessageStartingWith("The producer setting " + name)
                .withMessageContaining(reason)
                .extracting(WeakProducerSettingException::setting)
                .isEqualTo(name);
    }

    @Test
    void whatAppendLetsThroughByDefaultFitsARequestInBothEnvelopes() {
        Map<String, Object> settings = ProducerSettings.enforce(MINIMAL);
        for (EnvelopeMode mode : EnvelopeMode.values()) {
            assertThatCode(() -> ProducerSettings.checkSize(
                            settings, AppendLimits.DEFAULT_MAX_PAYLOAD_SIZE, AppendLimits.MAX_HEADERS_SIZE, mode))
                    .as(mode.name())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void namesBothPropertiesOfAPayloadLimitThatDoesNotFitARequest() {
        Map<String, Object> configured = new HashMap<>(MINIMAL);
        configured.put("max.request.size", 100_000);
        Map<String, Object> settings = ProducerSettings.enforce(configured);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProducerSettings.checkSize(settings, 80_000, 16_000, EnvelopeMode.BINARY))
                .withMessageContaining("outbox.append.max-payload-size is 80000 bytes")
                .withMessageContaining("max.request.size is 100000 bytes");
        assertThatCode(() -> ProducerSettings.checkSize(settings, 75_000, 16_000, EnvelopeMode.BINARY))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProducerSettings.checkSize(settings, 75_000, 16_000, EnvelopeMode.STRUCTURED));
    }
}
