package dev.outbox.postgresql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables that one module needs and the migrations that make them.
 *
 * <p>The migrations have their own history table ({@code <prefix>schema_history}) and their own location, so they never
 * meet the application's versions, and need neither Flyway in the application nor an empty schema. Several instances may
 * start at once: Flyway serialises them by a lock in the database.
 */
public final class ModuleSchema {

    private static final String COLUMNS = """
            SELECT c.relname AS table_name, a.attname AS column_name
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname = :schema AND c.relname IN (:tables) AND a.attnum > 0 AND NOT a.attisdropped
            """;

    private static final String PARTITIONED = """
            SELECT c.relname, c.relkind = 'p'
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = :schema AND c.relname IN (:tables)
            ORDER BY c.relname
            """;

    private final Migrations migrations;
    private final TableNames names;
    private final Map<String, List<String>> tables;
    private final Set<String> partitioned;

    /**
     * @param module the module's name, as messages and properties name it: {@code outbox} or {@code inbox}
     * @param location the migrations' place on the class path, {@code …/migration}; the same as plain SQL is in
     *     {@code …/scripts}
     * @param names where the tables live
     * @param tables the columns that each table must have, by the table's name without its prefix
     */
    public ModuleSchema(String module, String location, TableNames names, Map<String, List<String>> tables) {
        this(module, location, names, tables, Map.of(), Set.of());
    }

    /**
     * @param placeholders what else the migrations' placeholders stand for
     * @param partitioned names of those tables, without prefix, that are partitioned; the others must not be
     */
    public ModuleSchema(
            String module,
            String location,
            TableNames names,
            Map<String, List<String>> tables,
            Map<String, String> placeholders,
            Set<String> partitioned) {
        this.migrations = new Migrations(module, location, names, placeholders);
        this.names = names;
        this.tables = Map.copyOf(tables);
        this.partitioned = Set.copyOf(partitioned);
    }

    /**
     * Brings the tables to the state that the mode asks for.
     *
     * @throws SchemaException if that is not possible; the message says why and what to do
     */
    public void prepare(DataSource dataSource, SchemaMode mode) {
        if (mode != SchemaMode.NONE) {
            checkLayout(dataSource);
        }
        if (mode == SchemaMode.MIGRATE) {
            migrations.run(dataSource);
        }
        if (mode != SchemaMode.NONE) {
            validate(dataSource);
        }
    }

    /** Before the migrations, which need not be the same for both layouts. */
    private void checkLayout(DataSource dataSource) {
        Set<String> expected = partitioned.stream().map(names::unqualified).collect(Collectors.toSet());
        JdbcClient.create(dataSource)
                .sql(PARTITIONED)
                .param("schema", names.schema())
                .param("tables", unqualified())
                .query(row -> {
                    if (row.getBoolean(2) != expected.contains(row.getString(1))) {
                        throw new SchemaException(otherLayout(row.getString(1), row.getBoolean(2)), null);
                    }
                });
    }

    private String otherLayout(String table, boolean isPartitioned) {
        String present = isPartitioned ? "partitioned" : "plain";
        String asked = isPartitioned ? "plain" : "partitioned";
        return "Table \"" + names.schema() + "\".\"" + table + "\" is " + present + ", but the " + asked
                + " layout is asked for. The layout is chosen when the tables are made: set the schema layout to '"
                + present + "', or choose another schema or table prefix for new tables";
    }

    private List<String> unqualified() {
        return tables.keySet().stream().map(names::unqualified).toList();
    }

    private void validate(DataSource dataSource) {
        Map<String, Set<String>> present = JdbcClient.create(dataSource)
                .sql(COLUMNS)
                .param("schema", names.schema())
                .param("tables", unqualified())
                .query((row, number) -> Map.entry(row.getString(1), row.getString(2)))
                .list()
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
        Set<String> missing = new TreeSet<>();
        tables.forEach((table, columns) -> {
            Set<String> found = present.getOrDefault(names.unqualified(table), Set.of());
            if (found.isEmpty()) {
                missing.add("table " + names.qualified(table));
            } else {
                columns.stream()
                        .filter(column -> !found.contains(column))
                        .forEach(column -> missing.add("column " + names.qualified(table) + "." + column));
            }
        });
        if (!missing.isEmpty()) {
            throw new SchemaException(
                    "Missing in the database: " + String.join(", ", missing) + ". Run the " + migrations.scripts()
                            + ", or set the schema mode to 'migrate'",
                    null);
        }
    }
}
