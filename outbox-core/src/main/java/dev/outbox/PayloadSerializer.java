package dev.outbox;

/**
 * Turns the payload object of an event into bytes, inside the append call: what it throws fails the business call before
 * any SQL is run. Beans of this type are asked in their order; JSON comes last and takes everything.
 */
public interface PayloadSerializer {

    /** Whether this serializer takes payloads of the type. */
    boolean supports(Class<?> payloadType);

    /** Encodes the payload; called on the application's thread. */
    Payload serialize(Object payload);
}
