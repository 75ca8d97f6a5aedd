package dev.outbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The partitions of events and deliveries as the catalog knows them. A partition is named by the first number of its
 * range; the last one, {@code rest}, takes everything above, so that an append always finds a place.
 */
final class Partitions {

    static final String REST = "rest";

    private static final String LIST = """
            SELECT p.relname = :event AS is_event,
                   substr(c.relname, length(p.relname) + 2) AS suffix,
                   substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''?(-?\\d+)')::bigint AS lower,
                   substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''?(-?\\d+)')::bigint AS upper,
                   c.relispartition AS attached,
                   coalesce(i.inhdetachpending, false) AS pending
            FROM pg_catalog.pg_class p
            JOIN pg_catalog.pg_class c ON c.relnamespace = p.relnamespace AND c.relkind = 'r'
            LEFT JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
            WHERE p.oid IN (to_regclass(:qualifiedEvent), to_regclass(:qualifiedDelivery))
              AND left(c.relname, length(p.relname)) = p.relname
              AND substr(c.relname, length(p.relname) + 1) ~ '^_(rest|p\\d{1,18})$'
            """;

    /* What the table had before: the numbers that were drawn, whether committed or not. */
    private static final String LAST_NUMBER = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %s";

    private final TableNames names;
    private final JdbcTemplate jdbc;

    Partitions(TableNames names, JdbcTemplate jdbc) {
        this.names = names;
        this.jdbc = jdbc;
    }

    /** All of one table, attached or not, by their ranges. */
    List<Partition> list(String table) {
        return JdbcClient.create(jdbc)
                .sql(LIST)
                .param("event", names.unqualified("event"))
                .param("qualifiedEvent", names.qualified("event"))
                .param("qualifiedDelivery", names.qualified("delivery"))
                .query((row, number) -> partition(row))
                .stream()
                .filter(partition -> partition.table().equals(table))
                .sorted(Comparator.comparingLong(Partition::lower))
                .toList();
    }

    long lastNumber() {
        return JdbcClient.create(jdbc)
                .sql(LAST_NUMBER.formatted(names.qualified("event_seq_seq")))
                .query(Long.class)
                .single();
    }

    /** The first number above a partition that has lost its range: where the next one begins, or one that is not drawn. */
    long upper(Partition lost) {
        return list(lost.table()).stream()
                .filter(other -> other.isInPlace() && other.lower() > lost.lower())
                .mapToLong(Partition::lower)
                .findFirst()
                .orElseGet(() -> Math.max(lost.lower(), lastNumber()) + 1);
    }

    Optional<Partition> find(String table, String suffix) {
        return list(table).stream()
                .filter(partition -> partition.suffix().equals(suffix))
                .findFirst();
    }

    String qualified(String table, String suffix) {
        return names.qualified(table + "_" + suffix);
    }

    String qualified(Partition partition) {
        return qualified(partition.table(), partition.suffix());
    }

    /** Makes an empty table that can become a partition. */
    void create(String table, String suffix) {
        String storage = table.equals("delivery") ? " " + TableLayout.FILL_FACTOR : "";
        jdbc.execute("CREATE TABLE " + qualified(table, suffix) + " (LIKE " + names.qualified(table)
                + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)" + storage);
    }

    /** Waits for nobody that reads or appends. */
    void attach(String table, String suffix, long lower, long upper) {
        jdbc.execute("ALTER TABLE " + names.qualified(table) + " ATTACH PARTITION " + qualified(table, suffix)
                + " FOR VALUES FROM (" + (lower == 0 ? "MINVALUE" : lower) + ") TO ("
                + (upper == Long.MAX_VALUE ? "MAXVALUE" : upper) + ")");
    }

    /** Waits for those who use the table now, and holds up nobody who comes later. Not in a transaction. */
    void detachConcurrently(Partition partition) {
        detach(partition, " CONCURRENTLY");
    }

    /** Ends a detaching that was interrupted. */
    void finishDetaching(Partition partition) {
        detach(partition, " FINALIZE");
    }

    /** Locks the whole table to the end of the transaction. */
    void detachAtOnce(Partition partition) {
        detach(partition, "");
    }

    private void detach(Partition partition, String how) {
        jdbc.execute("ALTER TABLE " + names.qualified(partition.table()) + " DETACH PARTITION " + qualified(partition)
                + how);
    }

    void rename(Partition partition, String suffix) {
        jdbc.execute("ALTER TABLE " + qualified(partition) + " RENAME TO \""
                + names.unqualified(partition.table() + "_" + suffix) + "\"");
    }

    void drop(Partition partition) {
        jdbc.execute("DROP TABLE " + qualified(partition));
    }

    void lockWhole() {
        jdbc.execute("LOCK TABLE " + names.qualified("event") + ", " + names.qualified("delivery")
                + " IN ACCESS EXCLUSIVE MODE");
    }

    private static Partition partition(ResultSet row) throws SQLException {
        String suffix = row.getString("suffix");
        Long lower = row.getObject("lower", Long.class);
        Long upper = row.getObject("upper", Long.class);
        long named = suffix.equals(REST) ? Long.MAX_VALUE : Long.parseLong(suffix.substring(1));
        boolean attached = row.getBoolean("attached");
        return new Partition(
                row.getBoolean("is_event") ? "event" : "delivery",
                suffix,
                attached ? (lower == null ? 0 : lower) : named,
                upper == null ? Long.MAX_VALUE : upper,
                attached,
                row.getBoolean("pending"));
    }

    /**
     * A partition, or a table that was one.
     *
     * @param table {@code event} or {@code delivery}
     * @param suffix of its name
     * @param lower its first number, 0 for no limit
     * @param upper the first number above it, {@link Long#MAX_VALUE} for no limit
     * @param attached whether it is a partition
     * @param pending whether it is one no more, but for the last step
     */
    record Partition(String table, String suffix, long lower, long upper, boolean attached, boolean pending) {

        boolean isInPlace() {
            return attached && !pending;
        }

        boolean isRest() {
            return suffix.equals(REST);
        }
    }
}
