package dev.outbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The thing that an event happened to. Events of one aggregate are published in the order in which they were appended.
 *
 * @param type its kind, {@code order}
 * @param id its identity within the kind; the Kafka key
 * @param version its version after the event, or {@code null} when the application keeps none
 */
public record Aggregate(String type, String id, @Nullable Long version) {

    /** Number of lanes. Fixed for ever, because writers and relays of all releases must agree on it. */
    public static final int LANES = 64;

    /**
     * Stable 64-bit hash of type and id: the first eight bytes of their SHA-256. It is stored, so it must be the same on
     * every instance, JVM and release.
     */
    public long hash() {
        MessageDigest digest = sha256();
        digest.update(type.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        digest.update(id.getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(digest.digest()).getLong();
    }

    /** The lane of an aggregate's hash, from 0 to {@link #LANES} - 1. */
    public static int lane(long hash) {
        return Math.floorMod(hash, LANES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
