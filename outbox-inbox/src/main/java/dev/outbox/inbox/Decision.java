package dev.outbox.inbox;

/**
 * Who decided something, and why. It is kept in the audit table.
 *
 * @param actor who: 1 to {@value #MAX_ACTOR_LENGTH} characters, not blank
 * @param reason why: 1 to {@value #MAX_REASON_LENGTH} characters, not blank
 */
public record Decision(String actor, String reason) {

    /** The most characters of an actor. */
    public static final int MAX_ACTOR_LENGTH = 255;

    /** The most characters of a reason. */
    public static final int MAX_REASON_LENGTH = 2_000;

    /**
     * @throws IllegalArgumentException naming the field, its size and the limit
     */
    public Decision {
        require("actor", actor, MAX_ACTOR_LENGTH);
        require("reason", reason, MAX_REASON_LENGTH);
    }

    private static void require(String field, String value, int limit) {
        if (value.isBlank() || value.length() > limit) {
            throw new IllegalArgumentException(field + ": " + (value.isBlank() ? "blank, " : "") + value.length()
                    + " characters, from 1 to " + limit + " required");
        }
        if (value.indexOf(0) >= 0 || value.codePoints().anyMatch(Decision::isHalfOfAPair)) {
            throw new IllegalArgumentException(
                    field + ": has U+0000 or half of a surrogate pair, which can't be stored");
        }
    }

    private static boolean isHalfOfAPair(int codePoint) {
        return Character.getType(codePoint) == Character.SURROGATE;
    }
}
