package dev.outbox;

import org.jspecify.annotations.Nullable;

/** What PostgreSQL can store as text: neither U+0000 nor half of a surrogate pair. */
final class StorableText {

    private StorableText() {}

    /** What is wrong with a text, or {@code null}. */
    static @Nullable String flaw(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1));
            if (c == 0 || (Character.isSurrogate(c) && !pair)) {
                return "character " + i + " of " + value.length() + " is U+" + String.format("%04X", (int) c)
                        + ", which can't be stored";
            }
            if (pair) {
                i++;
            }
        }
        return null;
    }

    /**
     * @throws IllegalArgumentException naming the field, its size and the limit
     */
    static void require(String field, String value, int limit) {
        if (value.length() > limit) {
            throw new IllegalArgumentException(
                    field + ": " + value.length() + " characters, at most " + limit + " allowed");
        }
        String flaw = flaw(value);
        if (flaw != null) {
            throw new IllegalArgumentException(field + ": " + flaw);
        }
    }
}
