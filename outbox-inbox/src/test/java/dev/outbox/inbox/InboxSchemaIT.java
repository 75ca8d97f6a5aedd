package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

class InboxSchemaIT {

    private static final TableNames DEFAULT = InboxSettings.defaults().tables();

    private static final String COLUMNS = """
            SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
                || coalesce(' ' || column_default, '')
            FROM information_schema.columns WHERE table_schema = 'public' AND table_name LIKE 'inbox\\_pro%'
            UNION ALL
            SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename LIKE 'inbox\\_pro%'
            ORDER BY 1
            """;

    @Test
    void thePlainScriptMakesWhatTheMigrationsMake() throws IOException {
        TestDatabase migrated = PostgresServer.shared().createDatabase();
        TestDatabase scripted = PostgresServer.shared().createDatabase();

        InboxSchema.of(DEFAULT).prepare(migrated.dataSource(), SchemaMode.MIGRATE);
        JdbcClient.create(scripted.dataSource()).sql(script()).update();

        assertThat(definitions(scripted)).isEqualTo(definitions(migrated)).hasSize(5);
        InboxSchema.of(DEFAULT).prepare(scripted.dataSource(), SchemaMode.VALIDATE);
    }

    @Test
    void inAnotherSchemaWithAnotherPrefixEverythingFindsItsTable() {
        TestDatabase database = PostgresServer.shared().createDatabase();
        DataSource dataSource = database.dataSource();
        JdbcClient jdbc = JdbcClient.create(dataSource);
        jdbc.sql("CREATE TABLE processed (stray int)").update();
        TableNames tables = new TableNames("Billing", "My_");

        InboxSchema.of(tables).prepare(dataSource, SchemaMode.MIGRATE);
        InboxSchema.of(tables).prepare(dataSource, SchemaMode.MIGRATE);
        JdbcTransactionManager transactionManager = new JdbcTransactionManager(dataSource);
        Inbox inbox = Inbox.create(dataSource, transactionManager, new TransactionPhase(), tables, List.of());
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

    private static String script() throws IOException {
        try (InputStream script = InboxSchemaIT.class
                .getClassLoader()
                .getResourceAsStream("dev/outbox/inbox/schema/scripts/V1__inbox.sql")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
