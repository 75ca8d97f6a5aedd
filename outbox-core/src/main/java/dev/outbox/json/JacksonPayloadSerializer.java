package dev.outbox.json;

import dev.outbox.InvalidEventException;
import dev.outbox.Payload;
import dev.outbox.PayloadSerializer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Encodes any payload as JSON. */
public final class JacksonPayloadSerializer implements PayloadSerializer {

    private static final String JSON = "application/json";

    private final JsonMapper mapper;

    /**
     * @param mapper the application's; its settings are taken over, except default typing, which would put class names
     *     into events
     */
    public JacksonPayloadSerializer(JsonMapper mapper) {
        this.mapper = mapper.rebuild().deactivateDefaultTyping().build();
    }

    @Override
    public boolean supports(Class<?> payloadType) {
        return true;
    }

    /**
     * @throws InvalidEventException if the payload can't be encoded; the message doesn't show it
     */
    @Override
    public Payload serialize(Object payload) {
        try {
            return Payload.of(JSON, mapper.writeValueAsBytes(payload));
        } catch (JacksonException e) {
            throw new InvalidEventException(
                    "payload: " + payload.getClass().getName() + " can't be written as JSON; the cause ("
                            + e.getClass().getSimpleName() + ") tells why",
                    e);
        }
    }
}
