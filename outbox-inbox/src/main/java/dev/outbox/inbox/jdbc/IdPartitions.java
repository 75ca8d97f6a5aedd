package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The partitions of the processed events as the catalog knows them. From below: {@code old}, the ranges, {@code ahead} and
 * {@code far}, without a gap, so that every id finds a place.
 */
final class IdPartitions {

    private static final String LIST = """
            SELECT substr(c.relname, length(p.relname) + 2) AS suffix,
                   substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([-0-9a-f]{36})') AS lower,
                   substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([-0-9a-f]{36})') AS upper,
                   c.relispartition AS attached,
                   coalesce(i.inhdetachpending, false) AS pending
            FROM pg_catalog.pg_class p
            JOIN pg_catalog.pg_class c ON c.relnamespace = p.relnamespace AND c.relkind = 'r'
            LEFT JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
            WHERE p.oid = to_regclass(:table)
              AND left(c.relname, length(p.relname)) = p.relname
              AND substr(c.relname, length(p.relname) + 1) ~ '^_(old|ahead|far|p\\d{12})$'
            """;

    private static final String NOW = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    /* Set before the lock is asked for, so that nobody waits long behind somebody who waits for it. */
    private static final String LIMITS =
            "SELECT set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '5s', true)";

    private final TableNames names;
    private final JdbcTemplate jdbc;

    IdPartitions(TableNames names, JdbcTemplate jdbc) {
        this.names = names;
        this.jdbc = jdbc;
    }

    /** All of them, attached or not, by their ranges. */
    List<IdPartition> list() {
        return JdbcClient.create(jdbc)
                .sql(LIST)
                .param("table", names.qualified(InboxTables.PROCESSED))
                .query((row, number) -> partition(row))
                .stream()
                .sorted(Comparator.comparingLong(partition -> partition.range().from()))
                .toList();
    }

    /** The ranges that are emptied as a whole, from the oldest. */
    List<IdPartition> ranges() {
        return list().stream().filter(IdPartition::isRange).toList();
    }

    Optional<IdPartition> find(String suffix) {
        return list().stream()
                .filter(partition -> partition.suffix().equals(suffix))
                .findFirst();
    }

    /** Milliseconds since 1970 by the database's clock. */
    long now() {
        return JdbcClient.create(jdbc).sql(NOW).query(Long.class).single();
    }

    String qualified(String suffix) {
        return names.qualified(IdPartition.table(suffix));
    }

    boolean isEmpty(IdPartition partition) {
        return jdbc.queryForList("SELECT 1 FROM " + qualified(partition.suffix()) + " LIMIT 1")
                .isEmpty();
    }

    /** Makes an empty table that can become a partition. */
    void create(String suffix) {
        jdbc.execute("CREATE TABLE " + qualified(suffix) + " (LIKE " + names.qualified(InboxTables.PROCESSED)
                + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)");
    }

    /** Waits for nobody that records events. */
    void attach(String suffix, IdRange range) {
        alter("ATTACH PARTITION " + qualified(suffix) + " FOR VALUES " + range.bounds());
    }

    /** Waits for those who use the table now, and holds up nobody who comes later. Not in a transaction. */
    void detachConcurrently(IdPartition partition) {
        alter("DETACH PARTITION " + qualified(partition.suffix())
                + (partition.pending() ? " FINALIZE" : " CONCURRENTLY"));
    }

    /** In a transaction that has locked the whole table. */
    void detachAtOnce(IdPartition partition) {
        alter("DETACH PARTITION " + qualified(partition.suffix()));
    }

    void rename(IdPartition partition, String suffix) {
        jdbc.execute("ALTER TABLE " + qualified(partition.suffix()) + " RENAME TO \""
                + names.unqualified(IdPartition.table(suffix)) + "\"");
    }

    void drop(IdPartition partition) {
        jdbc.execute("DROP TABLE " + qualified(partition.suffix()));
    }

    void truncate(IdPartition partition) {
        jdbc.execute("TRUNCATE " + qualified(partition.suffix()));
    }

    /** Moves what lies above a time to where it belongs now, from a table that is no partition. */
    void moveAbove(String suffix, long time) {
        jdbc.update(
                "WITH moved AS (DELETE FROM " + qualified(suffix) + " WHERE event_id >= ? RETURNING *) INSERT INTO "
                        + names.qualified(InboxTables.PROCESSED) + " SELECT * FROM moved",
                IdRange.firstId(time));
    }

    /** Moves everything from one table to another. */
    void moveAll(IdPartition from, String to) {
        jdbc.update("INSERT INTO " + qualified(to) + " SELECT * FROM " + qualified(from.suffix()));
    }

    /** Keeps everybody from the table to the end of the transaction. Fails if it is in use for more than 200 ms. */
    void lockWhole() {
        jdbc.queryForList(LIMITS);
        jdbc.execute("LOCK TABLE ONLY " + names.qualified(InboxTables.PROCESSED) + " IN ACCESS EXCLUSIVE MODE");
    }

    /** Keeps everybody from one partition to the end of the transaction. Fails if it is in use for more than 200 ms. */
    void lock(IdPartition partition) {
        jdbc.queryForList(LIMITS);
        jdbc.execute("LOCK TABLE " + qualified(partition.suffix()) + " IN ACCESS EXCLUSIVE MODE");
    }

    private void alter(String action) {
        jdbc.execute("ALTER TABLE " + names.qualified(InboxTables.PROCESSED) + " " + action);
    }

    private static IdPartition partition(ResultSet row) throws SQLException {
        return new IdPartition(
                row.getString("suffix"),
                IdRange.between(row.getString("lower"), row.getString("upper")),
                row.getBoolean("attached"),
                row.getBoolean("pending"));
    }
}
