package dev.outbox.jdbc;

import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.TableNames;
import java.util.List;
import java.util.Map;

/** The tables of the outbox. */
public final class OutboxTables {

    /** The schema unless a property says otherwise. */
    public static final String DEFAULT_SCHEMA = "public";

    /** What the names of all tables begin with unless a property says otherwise. */
    public static final String DEFAULT_PREFIX = "outbox_";

    static final long LEAST_PARTITION_SIZE = 1_000;

    private static final long MOST_PARTITION_SIZE = 1_000_000_000;

    private static final String MIGRATIONS = "dev/outbox/schema/migration";

    private static final Map<String, List<String>> COLUMNS = Map.of(
            "event",
                    List.of(
                            "seq",
                            "event_id",
                            "aggregate_type",
                            "aggregate_id",
                            "aggregate_version",
                            "topic",
                            "event_type",
                            "schema_version",
                            "content_type",
                            "payload",
                            "headers",
                            "created_at"),
            "delivery",
                    List.of(
                            "seq",
                            "lane",
                            "aggregate_hash",
                            "published_at",
                            "waiting",
                            "attempts",
                            "next_attempt_at",
                            "parked_at",
                            "discarded_at",
                            "last_error"),
            "lane", List.of("lane", "floor", "owner", "token", "leased_until"),
            "lane_request", List.of("lane", "claimant", "requested_at"),
            "pause", List.of("topic", "paused_at", "actor", "reason"),
            "audit", List.of("id", "decided_at", "actor", "action", "reason", "topic", "seqs"));

    private OutboxTables() {}

    /** The migrations and the check of the outbox tables of that name, in the plain layout. */
    public static ModuleSchema schema(TableNames names) {
        return schema(names, TableLayout.PLAIN, TableLayout.DEFAULT_PARTITION_SIZE);
    }

    /**
     * The migrations and the check of the outbox tables of that name.
     *
     * @param layout of the tables if they are to be made; those that are there must have it
     * @param partitionSize numbers in one partition of the partitioned layout, {@value #LEAST_PARTITION_SIZE} at least
     * @throws IllegalArgumentException if the partition size is out of its range
     */
    public static ModuleSchema schema(TableNames names, TableLayout layout, long partitionSize) {
        if (partitionSize < LEAST_PARTITION_SIZE || partitionSize > MOST_PARTITION_SIZE) {
            throw new IllegalArgumentException("partition size: " + partitionSize + ", must be from "
                    + LEAST_PARTITION_SIZE + " to " + MOST_PARTITION_SIZE);
        }
        return new ModuleSchema(
                "outbox",
                MIGRATIONS,
                names,
                COLUMNS,
                layout.placeholders(names, partitionSize),
                layout.partitionedTables());
    }
}
