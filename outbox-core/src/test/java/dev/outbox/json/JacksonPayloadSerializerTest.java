package dev.outbox.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.InvalidEventException;
import dev.outbox.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class JacksonPayloadSerializerTest {

    record Confirmed(UUID orderId, Instant confirmedAt, List<Object> lineItems) {}

    record Unwritable(String card) {

        @Override
        public String card() {
            if (card.length() > 4) {
                throw new IllegalStateException("unexpected card " + card);
            }
            return card;
        }
    }

    private static final Confirmed EVENT =
            new Confirmed(new UUID(0, 1), Instant.parse("2024-01-02T03:04:05.006Z"), List.of("a", 1));

    @Test
    void writesJsonBytes() {
        Payload payload = new JacksonPayloadSerializer(JsonMapper.shared()).serialize(EVENT);

        assertThat(payload.contentType()).isEqualTo("application/json");
        assertThat(text(payload))
                .isEqualTo("{\"orderId\":\"00000000-0000-0000-0000-000000000001\","
                        + "\"confirmedAt\":\"2024-01-02T03:04:05.006Z\",\"lineItems\":[\"a\",1]}");
    }

    @Test
    void keepsTheNamingStrategyOfTheApplication() {
        JsonMapper mapper = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build();

        assertThat(text(new JacksonPayloadSerializer(mapper).serialize(EVENT)))
                .contains("\"order_id\"", "\"confirmed_at\"", "\"line_items\"");
    }

    @Test
    void dropsDefaultTypingAndLeavesTheMapperOfTheApplicationAsItIs() {
        JsonMapper mapper = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        DefaultTyping.NON_FINAL_AND_RECORDS)
                .build();

        assertThat(text(new JacksonPayloadSerializer(mapper).serialize(EVENT))).doesNotContain("Confirmed", "java.");
        assertThat(mapper.writeValueAsString(EVENT)).contains("Confirmed");
    }

    @Test
    void tellsWhichTypeFailedWithoutShowingIt() {
        JacksonPayloadSerializer serializer = new JacksonPayloadSerializer(JsonMapper.shared());

        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> serializer.serialize(new Unwritable("4111 1111 1111 1111")))
                .withMessageStartingWith("payload: " + Unwritable.class.getName() + " can't be written as JSON")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("4111"));
    }

    private static String text(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
