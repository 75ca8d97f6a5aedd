package dev.outbox.inbox.jdbc;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A partition of the processed events, or a table that was one.
 *
 * @param suffix of its name
 * @param range of its ids; everything if it is no partition any more
 * @param attached whether it is a partition
 * @param pending whether it is one no more, but for the last step
 */
record IdPartition(String suffix, IdRange range, boolean attached, boolean pending) {

    /** Below all ranges: ids that are older than what is remembered, and others that look so. */
    static final String OLD = "old";

    /** Above the ranges that are made ahead. */
    static final String AHEAD = "ahead";

    /** Above everything that can be a time. */
    static final String FAR = "far";

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'p'uuuuMMddHHmm").withZone(ZoneOffset.UTC);

    /** The suffix of the range that begins at a time, which is that of a full minute. */
    static String name(long from) {
        return NAME.format(Instant.ofEpochMilli(from));
    }

    /** The table's name without the prefix. */
    static String table(String suffix) {
        return InboxTables.PROCESSED + "_" + suffix;
    }

    String table() {
        return table(suffix);
    }

    boolean isInPlace() {
        return attached && !pending;
    }

    /** Whether it is one of those that are emptied as a whole. */
    boolean isRange() {
        return suffix.startsWith("p");
    }
}
