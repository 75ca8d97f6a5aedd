package dev.outbox.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.ClassicConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The migrations of one module, run by Flyway with a history table of its own.
 *
 * <p>Flyway serialises instances that start together by a lock that it takes once the history table is there. So that table
 * is made first, by one instance at a time. Both steps take two connections at most, and locks that end with their
 * transaction.
 */
final class Migrations {

    private static final String HISTORY = "schema_history";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String DUPLICATE_TABLE = "42P07";

    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(:history, 0))::text";

    private static final String HISTORY_EXISTS = """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class c
                           JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                           WHERE n.nspname = :schema AND c.relname = :table)
            """;

    private static final String MAY_CREATE = """
            SELECT coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM pg_catalog.pg_namespace
                             WHERE nspname = :schema),
                            has_database_privilege(current_database(), 'CREATE'))
            """;

    private final String module;
    private final String location;
    private final TableNames names;
    private final Map<String, String> placeholders;

    Migrations(String module, String location, TableNames names, Map<String, String> placeholders) {
        this.module = module;
        this.location = location;
        this.names = names;
        this.placeholders = new HashMap<>(placeholders);
        this.placeholders.put("schema", names.schema());
        this.placeholders.put("prefix", names.prefix());
    }

    /**
     * Applies what is missing.
     *
     * @throws SchemaException if that is not possible
     */
    void run(DataSource dataSource) {
        try {
            createHistory(dataSource);
            flyway(dataSource).migrate();
        } catch (FlywayException | SQLException e) {
            throw new SchemaException(explain(e), e);
        }
    }

    /** The place of the same migrations as plain SQL, as messages name it. */
    String scripts() {
        return "SQL scripts in " + location.replaceFirst("migration$", "scripts") + " of the " + module + " jar";
    }

    private Flyway flyway(DataSource dataSource) {
        Flyway flyway = Flyway.configure(getClass().getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:" + location)
                .defaultSchema(names.schema())
                .schemas(names.schema())
                .table(names.unqualified(HISTORY))
                .placeholders(placeholders)
                .baselineVersion("0")
                .cleanDisabled(true)
                .load();
        // Flyway has added the callbacks of the application, which mean the application's migrations.
        ((ClassicConfiguration) flyway.getConfiguration()).setCallbacks();
        return flyway;
    }

    /**
     * Flyway looks whether the table and anything else is there and then decides, without a lock; what another instance
     * makes in between stops it.
     */
    private void createHistory(DataSource dataSource) throws SQLException {
        try (Connection first = dataSource.getConnection();
                Connection second = dataSource.getConnection()) {
            DataSource locking = new SingleConnectionDataSource(first, true);
            JdbcClient jdbc = JdbcClient.create(locking);
            new TransactionTemplate(new DataSourceTransactionManager(locking)).executeWithoutResult(status -> {
                jdbc.sql(LOCK)
                        .param("history", names.qualified(HISTORY))
                        .query(String.class)
                        .single();
                if (!isTrue(jdbc.sql(HISTORY_EXISTS).param("table", names.unqualified(HISTORY)))) {
                    requireCreate(jdbc);
                    flyway(new SingleConnectionDataSource(second, true)).baseline();
                }
            });
        }
    }

    /** Asked before, because Flyway tries for ten seconds where it may not create its table. */
    private void requireCreate(JdbcClient jdbc) {
        if (!isTrue(jdbc.sql(MAY_CREATE))) {
            throw new SchemaException(notAllowed(), null);
        }
    }

    private boolean isTrue(JdbcClient.StatementSpec question) {
        return question.param("schema", names.schema()).query(Boolean.class).single();
    }

    private String explain(Exception e) {
        String state = sqlState(e);
        if (INSUFFICIENT_PRIVILEGE.equals(state)) {
            return notAllowed();
        }
        if (DUPLICATE_TABLE.equals(state)) {
            return "Schema \"" + names.schema() + "\" has tables with the names of the " + module
                    + " tables that its migrations did not make. If they come from the " + scripts()
                    + ", set the schema mode to 'validate'; if they are not of the " + module
                    + ", choose another schema or table prefix";
        }
        return "The migrations of the " + module + " tables in schema \"" + names.schema() + "\" failed: "
                + e.getMessage();
    }

    private String notAllowed() {
        return "The database user may not create the " + module + " tables in schema \"" + names.schema()
                + "\". Let a user who may run the " + scripts() + ", then set the schema mode to 'validate'";
    }

    private static @Nullable String sqlState(@Nullable Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return null;
    }
}
