package dev.outbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.util.Map;
import java.util.Set;

/** How events and deliveries are laid out in the database. Chosen when the tables are made. */
public enum TableLayout {

    /** One table each; old records are deleted row by row. */
    PLAIN,

    /** Partitions by ranges of {@code seq}; a range of which everything is old is dropped as a whole. */
    PARTITIONED;

    /** Numbers in one partition unless a property says otherwise. */
    public static final long DEFAULT_PARTITION_SIZE = 5_000_000;

    static final String FILL_FACTOR = "WITH (fillfactor = 50)";

    private static final String BY_RANGE = "PARTITION BY RANGE (seq)";

    /* A lower bound of MINVALUE, so that no number is without a partition. */
    private static final String FIRST_PARTITIONS = """
            CREATE TABLE %1$s PARTITION OF %4$s FOR VALUES FROM (MINVALUE) TO (%6$d)%5$s;
            CREATE TABLE %2$s PARTITION OF %4$s FOR VALUES FROM (%6$d) TO (%7$d)%5$s;
            CREATE TABLE %3$s PARTITION OF %4$s FOR VALUES FROM (%7$d) TO (MAXVALUE)%5$s;
            """;

    Set<String> partitionedTables() {
        return this == PARTITIONED ? Set.of("event", "delivery") : Set.of();
    }

    /** What the placeholders of the migrations stand for. */
    Map<String, String> placeholders(TableNames names, long partitionSize) {
        if (this == PLAIN) {
            return Map.of("event_storage", "", "delivery_storage", FILL_FACTOR, "first_partitions", "");
        }
        return Map.of(
                "event_storage",
                BY_RANGE,
                "delivery_storage",
                BY_RANGE,
                "first_partitions",
                firstPartitions(names, "event", "", partitionSize)
                        + firstPartitions(names, "delivery", " " + FILL_FACTOR, partitionSize));
    }

    private static String firstPartitions(TableNames names, String table, String storage, long size) {
        return FIRST_PARTITIONS.formatted(
                names.qualified(table + "_p0"),
                names.qualified(table + "_p" + size),
                names.qualified(table + "_rest"),
                names.qualified(table),
                storage,
                size,
                2 * size);
    }
}
