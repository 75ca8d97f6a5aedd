package dev.outbox.postgresql;

import dev.outbox.testkit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A module with one table and two migrations. */
final class TinyModule {

    static final TableNames NAMES = new TableNames("public", "tiny_");

    private static final String LOCATION = "tiny/migration";

    private TinyModule() {}

    static ModuleSchema schema(TableNames names) {
        return new ModuleSchema("tiny", LOCATION, names, Map.of("thing", List.of("id", "name", "mark")));
    }

    /** Makes the tables as a person would, without Flyway. */
    static void createByHand(TestDatabase database, TableNames names) {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        List.of("V1__thing.sql", "V2__mark.sql")
                .forEach(script -> jdbc.sql(script(script, names)).update());
    }

    /** The versions in the module's history, in the order of their application. */
    static List<String> history(JdbcClient jdbc, TableNames names) {
        return jdbc.sql("SELECT version FROM " + names.qualified("schema_history")
                        + " WHERE version IS NOT NULL AND success ORDER BY installed_rank")
                .query(String.class)
                .list();
    }

    private static String script(String name, TableNames names) {
        try (InputStream script = Objects.requireNonNull(
                TinyModule.class.getClassLoader().getResourceAsStream(LOCATION + "/" + name), name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${schema}", names.schema())
                    .replace("${prefix}", names.prefix());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
