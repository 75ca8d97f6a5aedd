package dev.outbox.inbox.kafka;

import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.SmartMessageConverter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns the bytes of a record into what a handler's parameter asks for: what the listener's deserializer makes of them, or
 * text, or JSON read as the parameter's type.
 */
final class PayloadConverter implements SmartMessageConverter {

    private final JsonMapper mapper;
    private final @Nullable ValueDeserializer deserializer;

    /** With default typing a record could name the class that is instantiated, so the copy has none. */
    PayloadConverter(JsonMapper mapper, @Nullable ValueDeserializer deserializer) {
        this.mapper = mapper.rebuild().deactivateDefaultTyping().build();
        this.deserializer = deserializer;
    }

    PayloadConverter(JsonMapper mapper) {
        this(mapper, null);
    }

    @Override
    public Object fromMessage(Message<?> message, Class<?> targetClass, @Nullable Object conversionHint) {
        if (!(message.getPayload() instanceof byte[] payload)) {
            throw new UnusableRecordException("The record has no payload");
        }
        if (deserializer != null) {
            return deserializer.deserialize(EventMessages.event(message).record(), payload, targetClass);
        }
        if (targetClass.equals(String.class)) {
            return text(payload);
        }
        return json(payload, conversionHint instanceof MethodParameter parameter ? typeOf(parameter) : targetClass);
    }

    @Override
    public Object fromMessage(Message<?> message, Class<?> targetClass) {
        return fromMessage(message, targetClass, null);
    }

    @Override
    public @Nullable Message<?> toMessage(Object payload, @Nullable MessageHeaders headers) {
        return null;
    }

    @Override
    public @Nullable Message<?> toMessage(Object payload, @Nullable MessageHeaders headers, @Nullable Object hint) {
        return null;
    }

    private static String text(byte[] payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UnusableRecordException("The payload (" + payload.length + " bytes) is not UTF-8 text");
        }
    }

    private Object json(byte[] payload, Type type) {
        Object value;
        try {
            value = mapper.readValue(payload, mapper.constructType(type));
        } catch (JacksonException e) {
            throw unreadable(payload, type, e);
        } catch (RuntimeException e) {
            throw new UnusableRecordException("The payload (" + payload.length + " bytes) cannot be read as a "
                    + type.getTypeName() + ": " + e.getClass().getName());
        }
        if (value == null) {
            throw new UnusableRecordException("The payload is the JSON literal null, not a " + type.getTypeName());
        }
        return value;
    }

    /** Neither message nor cause of the exception: both quote the payload. */
    private static UnusableRecordException unreadable(byte[] payload, Type type, JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        return new UnusableRecordException("The payload (" + payload.length + " bytes) is not JSON of a "
                + type.getTypeName() + ": " + e.getClass().getSimpleName()
                + (location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr()));
    }

    private static Type typeOf(MethodParameter parameter) {
        MethodParameter payload = parameter.nestedIfOptional();
        if (Message.class.isAssignableFrom(payload.getParameterType())) {
            payload = payload.nested();
        }
        return GenericTypeResolver.resolveType(payload.getNestedGenericParameterType(), payload.getContainingClass());
    }
}
