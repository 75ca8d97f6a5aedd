package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.TestOutbox;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaIT {

    private static final String COLUMNS = """
            SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                             a.attidentity, pg_get_expr(d.adbin, d.adrelid), c.reloptions::text)
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'outbox_schema_history'
            ORDER BY c.relname, a.attnum
            """;

    private static final String INDEXES = """
            SELECT indexdef FROM pg_indexes
            WHERE schemaname = 'public' AND tablename <> 'outbox_schema_history'
            ORDER BY indexname
            """;

    private final TestDatabase byHand = PostgresServer.shared().createDatabase();
    private final TestDatabase migrated = PostgresServer.shared().createDatabase();

    @Test
    void thePlainScriptMakesWhatTheMigrationMakes() {
        JdbcClient.create(byHand.dataSource()).sql(TestOutbox.plainScript()).update();
        OutboxTables.schema(TestOutbox.DEFAULT_NAMES).prepare(migrated.dataSource(), SchemaMode.MIGRATE);

        assertThat(list(byHand, COLUMNS)).isEqualTo(list(migrated, COLUMNS)).hasSize(22);
        assertThat(list(byHand, INDEXES)).isEqualTo(list(migrated, INDEXES)).hasSize(7);
        assertThat(list(byHand, "SELECT lane::text FROM outbox_lane ORDER BY lane"))
                .isEqualTo(list(migrated, "SELECT lane::text FROM outbox_lane ORDER BY lane"))
                .hasSize(64);
        OutboxTables.schema(TestOutbox.DEFAULT_NAMES).prepare(byHand.dataSource(), SchemaMode.VALIDATE);
    }

    private static List<String> list(TestDatabase database, String sql) {
        return JdbcClient.create(database.dataSource())
                .sql(sql)
                .query(String.class)
                .list();
    }
}
