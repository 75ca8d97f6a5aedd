package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotencyKey;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.Validator;

/** Gives a handler its payload, and null or nothing of a tombstone if its parameter may be that. */
final class PayloadArgumentResolver extends PayloadMethodArgumentResolver {

    private static final Set<Class<?>> NO_PAYLOADS = Set.of(
            EventMetadata.class,
            IdempotencyKey.class,
            ConsumerRecord.class,
            Consumer.class,
            Message.class,
            MessageHeaders.class);

    PayloadArgumentResolver(PayloadConverter payloads, @Nullable Validator validator) {
        super(payloads, validator);
    }

    /** Says whether a handler takes events without a payload. */
    static boolean takesTombstones(Method handler) {
        return IntStream.range(0, handler.getParameterCount())
                .mapToObj(index -> new MethodParameter(handler, index))
                .anyMatch(parameter -> isPayload(parameter) && mayBeEmpty(parameter));
    }

    private static boolean isPayload(MethodParameter parameter) {
        return !NO_PAYLOADS.contains(parameter.getParameterType())
                && !parameter.hasParameterAnnotation(Header.class)
                && !parameter.hasParameterAnnotation(Headers.class);
    }

    private static boolean mayBeEmpty(MethodParameter parameter) {
        Payload payload = parameter.getParameterAnnotation(Payload.class);
        return parameter.isOptional() || (payload != null && !payload.required());
    }

    @Override
    public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) throws Exception {
        boolean nullable = parameter.getParameterType() != java.util.Optional.class && mayBeEmpty(parameter);
        return nullable && isEmptyPayload(message.getPayload()) ? null : super.resolveArgument(parameter, message);
    }

    /** No bytes and blank text are payloads: only a tombstone is none. */
    @Override
    protected boolean isEmptyPayload(@Nullable Object payload) {
        return payload == null || payload instanceof KafkaNull;
    }

    /** The inherited error quotes the values that are not valid. */
    @Override
    protected void validate(Message<?> message, MethodParameter parameter, Object target) {
        try {
            super.validate(message, parameter, target);
        } catch (MethodArgumentNotValidException e) {
            String errors = e.getBindingResult() == null
                    ? ""
                    : e.getBindingResult().getAllErrors().stream()
                            .map(PayloadArgumentResolver::describe)
                            .distinct()
                            .collect(Collectors.joining(", "));
            throw new UnusableRecordException(
                    "The payload, a " + parameter.getParameterType().getName() + ", is not valid: " + errors);
        }
    }

    private static String describe(ObjectError error) {
        String place = error instanceof FieldError field ? field.getField() : error.getObjectName();
        return place + " (" + error.getCode() + ")";
    }
}
