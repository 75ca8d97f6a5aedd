package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppendLimitsTest {

    private static final String JSON = "application/json";
    private static final int MAX_PAYLOAD = 1_000;

    private final AppendLimits limits = new AppendLimits(MAX_PAYLOAD);

    @Test
    void takesWhatReachesEveryLimit() {
        assertThatCode(() -> check(event -> event.aggregate("t".repeat(255), "i".repeat(512))
                        .type("e".repeat(255))
                        .topic("o".repeat(249))
                        .schemaVersion(Integer.MAX_VALUE)
                        .aggregateVersion(0)
                        .payload(new byte[MAX_PAYLOAD], "c".repeat(255))
                        .header("n".repeat(255), "v".repeat(16 * 1024 - 255))))
                .doesNotThrowAnyException();
    }

    @Test
    void namesFieldSizeAndLimitOfWhatIsTooLong() {
        assertRefused(
                "aggregateType: 256 characters, at least 1 and at most 255 allowed",
                event -> event.aggregate("t".repeat(256), "1"));
        assertRefused(
                "aggregateId: 1282 characters, at least 1 and at most 512 allowed",
                event -> event.aggregate("order", "i".repeat(1282)));
        assertRefused("type: 400 characters, at least 1 and at most 255 allowed", event -> event.type("e".repeat(400)));
        assertRefused(
                "topic: 250 characters, at least 1 and at most 249 allowed", event -> event.topic("o".repeat(250)));
        assertRefused(
                "contentType: 256 characters, at least 1 and at most 255 allowed",
                event -> event.payload(new byte[1], "c".repeat(256)));
        assertRefused(
                "header name: 1000 characters, at least 1 and at most 255 allowed",
                event -> event.header("n".repeat(1000), "v"));
        assertRefused("headers: 16385 bytes, at most 16384 allowed", event -> event.header("n", "v".repeat(16 * 1024)));
        assertRefused(
                "payload: 1001 bytes, at most 1000 allowed (outbox.append.max-payload-size)",
                event -> event.payload(new byte[MAX_PAYLOAD + 1], JSON));
    }

    @Test
    void namesWhatIsEmptyOrTooSmall() {
        assertRefused("aggregateType: 0 characters, at least 1", event -> event.aggregate("", "1"));
        assertRefused("aggregateId: 0 characters, at least 1", event -> event.aggregate("order", ""));
        assertRefused("type: 0 characters, at least 1", event -> event.type(""));
        assertRefused("topic: 0 characters, at least 1", event -> event.topic(""));
        assertRefused("contentType: 0 characters, at least 1", event -> event.payload(new byte[1], ""));
        assertRefused("header name: 0 characters, at least 1", event -> event.header("", "v"));
        assertRefused("schemaVersion: 0, at least 1 required", event -> event.schemaVersion(0));
        assertRefused("aggregateVersion: -1, at least 0 required", event -> event.aggregateVersion(-1));
    }

    @Test
    void headersAreMeasuredInBytesAndTogether() {
        assertRefused("headers: 16388 bytes", event -> {
            IntStream.range(0, 4).forEach(i -> event.header("h" + i, "ä".repeat(2047) + "x"));
            return event;
        });
    }

    @ParameterizedTest
    @CsvSource({"a\0b, U+0000", "a\ud800b, U+D800", "a\udc00b, U+DC00", "a\ud800, U+D800"})
    void namesTheCharacterThatCannotBeStored(String text, String codePoint) {
        String message = ": character 1 of " + text.length() + " is " + codePoint + ", which can't be stored";

        assertRefused("aggregateType" + message, event -> event.aggregate(text, "1"));
        assertRefused("aggregateId" + message, event -> event.aggregate("order", text));
        assertRefused("type" + message, event -> event.type(text));
        assertRefused("topic" + message, event -> event.topic(text));
        assertRefused("contentType" + message, event -> event.payload(new byte[1], text));
        assertRefused("header name" + message, event -> event.header(text, "v"));
        assertRefused("header 'n'" + message, event -> event.header("n", text));
    }

    @Test
    void takesWholeSurrogatePairs() {
        assertThatCode(() -> check(event -> event.aggregate("order", "a😀b").header("n", "😀😀")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad/topic", "a b", "ä", ".", "..", "a,b", "a\n"})
    void refusesIllegalTopicNames(String topic) {
        assertThat(AppendLimits.isLegalTopic(topic)).isFalse();
        assertRefused("topic: '" + topic + "' is not a legal Kafka topic name", event -> event.topic(topic));
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders.v1", "A_b-C.9", "...", "-"})
    void takesLegalTopicNames(String topic) {
        assertThat(AppendLimits.isLegalTopic(topic)).isTrue();
        assertThatCode(() -> check(event -> event.topic(topic))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ce_id", "CE_anything", "content-type", "Content-Type"})
    void refusesHeadersOfTheEnvelope(String name) {
        assertRefused("header name: '" + name + "' belongs to the envelope", event -> event.header(name, "v"));
    }

    @Test
    void refusesAPayloadLimitBelowOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AppendLimits(0))
                .withMessageContaining("0 bytes, at least 1");
    }

    private void assertRefused(String message, UnaryOperator<Event.Builder> change) {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> check(change))
                .withMessageStartingWith(message);
    }

    private void check(UnaryOperator<Event.Builder> change) {
        Event event = change.apply(Event.builder()
                        .aggregate("order", "1")
                        .topic("orders")
                        .type("order.confirmed")
                        .payload(new byte[1], JSON))
                .build();
        limits.check(new OutboxRecord(
                new java.util.UUID(0, 1),
                event.topic(),
                event.type(),
                event.aggregate(),
                (Payload) event.payload(),
                event.headers()));
    }
}
