package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** How the processed events are laid out in the database. Chosen when the tables are made. */
public enum TableLayout {

    /** One table; old events are deleted row by row. */
    PLAIN,

    /**
     * Partitions by ranges of the event id, which are ranges of time for ids of UUID version 7. A range of which everything
     * is old is emptied as a whole. Ids of other versions are deleted row by row.
     */
    PARTITIONED;

    /** Time in one partition unless a property says otherwise. */
    public static final Duration DEFAULT_PARTITION_PERIOD = Duration.ofDays(1);

    private static final String FIRST_PARTITIONS = """
            CREATE TABLE %1$s PARTITION OF %3$s FOR VALUES %4$s;
            CREATE TABLE %2$s PARTITION OF %3$s FOR VALUES %5$s;
            """;

    Set<String> partitionedTables() {
        return this == PARTITIONED ? Set.of(InboxTables.PROCESSED) : Set.of();
    }

    /** What the placeholders of the migrations stand for. */
    Map<String, String> placeholders(TableNames names) {
        if (this == PLAIN) {
            return Map.of("processed_storage", "", "first_partitions", "");
        }
        return Map.of(
                "processed_storage",
                "PARTITION BY RANGE (event_id)",
                "first_partitions",
                FIRST_PARTITIONS.formatted(
                        names.qualified(IdPartition.table(IdPartition.AHEAD)),
                        names.qualified(IdPartition.table(IdPartition.FAR)),
                        names.qualified(InboxTables.PROCESSED),
                        IdRange.of(IdRange.FIRST, IdRange.FAR).bounds(),
                        IdRange.of(IdRange.FAR, IdRange.LAST).bounds()));
    }
}
