package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

class InboxTablesIT {

    private static final TableNames DEFAULT = InboxSettings.defaults().tables();

    private static final String COLUMNS = """
            SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
                || coalesce(' ' || column_default, '')
            FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'inbox_schema_history'
            UNION ALL
            SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'inbox_schema_history'
            UNION ALL
            SELECT oid::regclass || ' ' || pg_get_expr(relpartbound, oid) FROM pg_class WHERE relispartition
            ORDER BY 1
            """;

    @ParameterizedTest
    @EnumSource
    void thePlainScriptsMakeWhatTheMigrationsMake(TableLayout layout) throws IOException {
        TestDatabase migrated = PostgresServer.shared().createDatabase();
        TestDatabase scripted = PostgresServer.shared().createDatabase();

        InboxTables.of(DEFAULT, layout).prepare(migrated.dataSource(), SchemaMode.MIGRATE);
        for (Resource script : scripts(layout == TableLayout.PLAIN ? "" : "partitioned/")) {
            JdbcClient.create(scripted.dataSource())
                    .sql(script.getContentAsString(StandardCharsets.UTF_8))
                    .update();
        }

        assertThat(definitions(scripted)).isEqualTo(definitions(migrated)).hasSizeGreaterThanOrEqualTo(5);
        InboxTables.of(DEFAULT, layout).prepare(scripted.dataSource(), SchemaMode.VALIDATE);
    }

    @Test
    void inAnotherSchemaWithAnotherPrefixEverythingFindsItsTable() {
        TestDatabase database = PostgresServer.shared().createDatabase();
        DataSource dataSource = database.dataSource();
        JdbcClient jdbc = JdbcClient.create(dataSource);
        jdbc.sql("CREATE TABLE processed (stray int)").update();
        TableNames tables = new TableNames("Billing", "My_");

        InboxTables.of(tables).prepare(dataSource, SchemaMode.MIGRATE);
        InboxTables.of(tables).prepare(dataSource, SchemaMode.MIGRATE);
        JdbcTransactionManager transactionManager = new JdbcTransactionManager(dataSource);
        Inbox inbox = new JdbcInbox(dataSource, transactionManager, new TransactionPhase(), tables, List.of());
        inbox.processOnce("billing", UUID.randomUUID(), () -> {});
        jdbc.sql("UPDATE \"Billing\".\"My_processed\" SET processed_at = now() - interval '9 days'")
                .update();

        assertThat(new InboxPurge(dataSource, tables, new PurgeSettings(Duration.ofDays(8), Duration.ofDays(1), 10))
                        .purgeNow())
                .isEqualTo(1);
    }

    private static List<String> definitions(TestDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql(COLUMNS)
                .query(String.class)
                .list();
    }

    private static List<Resource> scripts(String folder) throws IOException {
        Resource[] scripts = new PathMatchingResourcePatternResolver()
                .getResources("classpath:dev/outbox/inbox/schema/scripts/" + folder + "V*.sql");
        return Stream.of(scripts)
                .sorted(Comparator.comparing(Resource::getFilename))
                .toList();
    }
}
