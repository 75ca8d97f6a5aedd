package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.TestOutbox;
import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.SchemaException;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaIT {

    private static final String COLUMNS = """
            SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                             a.attidentity, pg_get_expr(d.adbin, d.adrelid), c.reloptions::text,
                             pg_get_expr(c.relpartbound, c.oid))
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'outbox_schema_history'
            ORDER BY c.relname, a.attnum
            """;

    private static final String INDEXES = """
            SELECT indexdef FROM pg_indexes
            WHERE schemaname = 'public' AND tablename <> 'outbox_schema_history'
            ORDER BY indexname
            """;

    private final TestDatabase byHand = PostgresServer.shared().createDatabase();
    private final TestDatabase migrated = PostgresServer.shared().createDatabase();

    @ParameterizedTest
    @EnumSource
    void thePlainScriptMakesWhatTheMigrationMakes(TableLayout layout) {
        JdbcClient.create(byHand.dataSource())
                .sql(TestOutbox.plainScript(layout))
                .update();
        ModuleSchema schema = OutboxTables.schema(TestOutbox.DEFAULT_NAMES, layout, TableLayout.DEFAULT_PARTITION_SIZE);
        schema.prepare(migrated.dataSource(), SchemaMode.MIGRATE);

        int partitions = layout == TableLayout.PLAIN ? 0 : 3;
        assertThat(list(byHand, COLUMNS)).isEqualTo(list(migrated, COLUMNS)).hasSize(41 + 22 * partitions);
        assertThat(list(byHand, INDEXES)).isEqualTo(list(migrated, INDEXES)).hasSize(10 + 6 * partitions);
        assertThat(list(byHand, "SELECT lane::text FROM outbox_lane ORDER BY lane"))
                .isEqualTo(list(migrated, "SELECT lane::text FROM outbox_lane ORDER BY lane"))
                .hasSize(64);
        schema.prepare(byHand.dataSource(), SchemaMode.VALIDATE);
        schema.prepare(migrated.dataSource(), SchemaMode.MIGRATE);
    }

    @ParameterizedTest
    @EnumSource
    void aLayoutThatTheTablesDoNotHaveIsRefusedWhateverMadeThem(TableLayout layout) {
        JdbcClient.create(byHand.dataSource())
                .sql(TestOutbox.plainScript(layout))
                .update();
        OutboxTables.schema(TestOutbox.DEFAULT_NAMES, layout, 1_000).prepare(migrated.dataSource(), SchemaMode.MIGRATE);
        TableLayout other = layout == TableLayout.PLAIN ? TableLayout.PARTITIONED : TableLayout.PLAIN;
        ModuleSchema schema = OutboxTables.schema(TestOutbox.DEFAULT_NAMES, other, 1_000);

        assertThatThrownBy(() -> schema.prepare(byHand.dataSource(), SchemaMode.VALIDATE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("is " + layout.name().toLowerCase(Locale.ROOT) + ", but the "
                        + other.name().toLowerCase(Locale.ROOT) + " layout is asked for");
        assertThatThrownBy(() -> schema.prepare(migrated.dataSource(), SchemaMode.MIGRATE))
                .isInstanceOf(SchemaException.class);
        schema.prepare(migrated.dataSource(), SchemaMode.NONE);
    }

    private static List<String> list(TestDatabase database, String sql) {
        return JdbcClient.create(database.dataSource())
                .sql(sql)
                .query(String.class)
                .list();
    }
}
