package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class PayloadConverterTest {

    private final PayloadConverter converter = new PayloadConverter(new JsonMapper());

    @Test
    void textIsDecodedStrictly() {
        assertThat(converter.fromMessage(message("grün"), String.class)).isEqualTo("grün");
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() ->
                        converter.fromMessage(new GenericMessage<>(new byte[] {(byte) 0xC3, 0x28}), String.class))
                .withMessage("The payload (2 bytes) is not UTF-8 text");
    }

    @Test
    void theFullTypeOfTheParameterIsRead() throws NoSuchMethodException {
        MethodParameter list = parameter(0);
        MethodParameter wrapped = parameter(1);

        assertThat(converter.fromMessage(message("[{\"cents\":1}]"), List.class, list))
                .isEqualTo(List.of(new Price(1)));
        assertThat(converter.fromMessage(message("[{\"cents\":2}]"), List.class, wrapped))
                .isEqualTo(List.of(new Price(2)));
    }

    @Test
    void anUnreadablePayloadIsReportedWithItsPlaceButWithoutItsContent() {
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> converter.fromMessage(message("{\"cents\":\n \"secret\"}"), Price.class))
                .withMessageContaining("(20 bytes)")
                .withMessageContaining("Price")
                .withMessageContaining("line 2, column 2")
                .withMessageNotContaining("secret")
                .withNoCause();
    }

    @Test
    void theApplicationsDefaultTypingIsNotUsed() {
        JsonMapper trusting = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        DefaultTyping.JAVA_LANG_OBJECT)
                .build();
        Message<?> message = message("[\"java.util.concurrent.atomic.AtomicInteger\", 7]");

        assertThat(trusting.readValue("[\"java.util.concurrent.atomic.AtomicInteger\", 7]", Object.class))
                .isInstanceOf(java.util.concurrent.atomic.AtomicInteger.class);
        assertThat(new PayloadConverter(trusting).fromMessage(message, Object.class))
                .isEqualTo(List.of("java.util.concurrent.atomic.AtomicInteger", 7));
    }

    private static MethodParameter parameter(int index) throws NoSuchMethodException {
        return new MethodParameter(
                PayloadConverterTest.class.getDeclaredMethod("handler", List.class, Message.class), index);
    }

    @SuppressWarnings("unused")
    private void handler(List<Price> prices, Message<List<Price>> message) {}

    private static Message<?> message(String payload) {
        return new GenericMessage<>(payload.getBytes(StandardCharsets.UTF_8));
    }

    record Price(int cents) {}
}
