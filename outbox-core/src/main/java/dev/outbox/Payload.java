package dev.outbox;

import java.util.Objects;

/** The exact bytes that are stored and published, and what they are. The array is not copied. */
public final class Payload {

    private final String contentType;
    private final byte[] bytes;

    private Payload(String contentType, byte[] bytes) {
        this.contentType = Objects.requireNonNull(contentType, "contentType");
        this.bytes = Objects.requireNonNull(bytes, "bytes");
    }

    /**
     * @param contentType a media type, {@code application/json}
     * @param bytes the encoded payload
     */
    public static Payload of(String contentType, byte[] bytes) {
        return new Payload(contentType, bytes);
    }

    public String contentType() {
        return contentType;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return bytes.length;
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "Payload[" + contentType + ", " + bytes.length + " bytes]";
    }
}
