package dev.outbox.inbox.jdbc;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Event ids by what begins them: in an id of UUID version 7 the first 48 bits are its time. PostgreSQL orders ids as
 * unsigned numbers, so a range of times is a range of ids, and the ids of other versions lie anywhere.
 *
 * @param from first millisecond since 1970, {@link #FIRST} for no limit
 * @param to first millisecond above it, {@link #LAST} for no limit
 */
record IdRange(long from, long to) {

    static final long FIRST = 0;
    static final long LAST = 1L << 48;

    /** July 2074. Nearly all random ids lie above it, and no id that tells a time. */
    static final long FAR = 0x0300_0000_0000L;

    IdRange {
        if (from < FIRST || to > LAST || from >= to) {
            throw new IllegalArgumentException("No range of ids: from " + from + " to " + to);
        }
    }

    static IdRange of(long from, long to) {
        return new IdRange(from, to);
    }

    /** The range between two bounds as the catalog tells them: ids, or nothing where there is no limit. */
    static IdRange between(@Nullable String from, @Nullable String to) {
        return new IdRange(from == null ? FIRST : time(from), to == null ? LAST : time(to));
    }

    /** The least id of a time, of any version. */
    static UUID firstId(long time) {
        return new UUID(time << 16, 0);
    }

    /** As {@code FOR VALUES} wants it. */
    String bounds() {
        return "FROM (" + (from == FIRST ? "MINVALUE" : literal(from)) + ") TO ("
                + (to == LAST ? "MAXVALUE" : literal(to)) + ")";
    }

    private static long time(String id) {
        return UUID.fromString(id).getMostSignificantBits() >>> 16;
    }

    private static String literal(long time) {
        return "'" + firstId(time) + "'";
    }
}
