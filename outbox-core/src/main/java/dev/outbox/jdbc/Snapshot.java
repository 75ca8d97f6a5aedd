package dev.outbox.jdbc;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a statement could see.
 *
 * @param end transactions from this id on were not known to it; it could not see their writes
 * @param running transactions below that which were in progress; it could not see theirs either
 */
record Snapshot(long end, Set<Long> running) {

    /** Reads PostgreSQL's text form, {@code xmin:xmax:xip,xip}. */
    static Snapshot parse(String text) {
        String[] parts = text.split(":", -1);
        Set<Long> running = parts[2].isEmpty()
                ? Set.of()
                : Arrays.stream(parts[2].split(",")).map(Long::valueOf).collect(Collectors.toSet());
        return new Snapshot(Long.parseLong(parts[1]), running);
    }
}
