package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.EventMetadata;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.MethodParameter;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import tools.jackson.databind.json.JsonMapper;

class PayloadArgumentResolverTest {

    private final PayloadArgumentResolver resolver =
            new PayloadArgumentResolver(new PayloadConverter(new JsonMapper()), new Refusing());

    @ParameterizedTest
    @ValueSource(strings = {"notRequired", "nullable", "nullableBytes", "optional"})
    void aPayloadThatMayBeEmptyTakesTombstones(String handler) throws Exception {
        assertThat(PayloadArgumentResolver.takesTombstones(method(handler))).isTrue();
        assertThat(resolver.resolveArgument(
                        new MethodParameter(method(handler), 0), new GenericMessage<>(KafkaNull.INSTANCE)))
                .isIn(null, Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"required", "onlyAHeader", "onlyMetadata", "onlyARecord"})
    void othersDoNot(String handler) {
        assertThat(PayloadArgumentResolver.takesTombstones(method(handler))).isFalse();
    }

    @Test
    void noBytesAndBlankTextArePayloads() throws Exception {
        assertThat(resolver.resolveArgument(
                        new MethodParameter(method("nullableBytes"), 0), new GenericMessage<>(new byte[0])))
                .isEqualTo(new byte[0]);
    }

    @Test
    void aPayloadThatIsNotValidIsNotQuoted() {
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> resolver.resolveArgument(
                        new MethodParameter(method("validated"), 0),
                        new GenericMessage<>("{\"id\":\"secret\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8))))
                .withMessageContaining("Order, is not valid: id (too.long)")
                .withMessageNotContaining("secret")
                .withNoCause();
    }

    private static Method method(String name) {
        return Arrays.stream(Handlers.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    record Order(String id) {}

    @SuppressWarnings("unused")
    interface Handlers {
        void notRequired(@Payload(required = false) Order order, EventMetadata metadata);

        void nullable(@Nullable Order order);

        void nullableBytes(byte @Nullable [] bytes);

        void optional(Optional<Order> order);

        void required(Order order);

        void onlyAHeader(@Header @Nullable String header);

        void onlyMetadata(@Nullable EventMetadata metadata);

        void onlyARecord(@Nullable ConsumerRecord<byte[], byte[]> record);

        void validated(@Validated Order order);
    }

    private static final class Refusing implements Validator {

        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public void validate(Object target, Errors errors) {
            errors.rejectValue("id", "too.long", "secret is too long");
        }
    }
}
