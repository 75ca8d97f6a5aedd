package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The module's tables in one schema with an application that has Flyway migrations of its own. */
class SharedSchemaIT {

    private static final int VERSIONS = 20;

    private final TestDatabase database = PostgresServer.shared().createDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());

    @TempDir
    private Path scripts;

    @BeforeEach
    void writeMigrationsOfTheApplication() throws IOException {
        for (int version = 1; version <= VERSIONS; version++) {
            writeMigration(version);
        }
    }

    @Test
    void leavesTheHistoryOfTheApplicationAsItIs() throws IOException {
        migrateApplication();
        List<Map<String, Object>> before = history();

        migrateModule();
        assertThat(history()).hasSize(VERSIONS).isEqualTo(before);
        assertThat(TinyModule.history(jdbc, TinyModule.NAMES)).containsExactly("0", "1", "2");

        writeMigration(VERSIONS + 1);
        migrateApplication();
        migrateModule();
        assertThat(history().subList(0, VERSIONS)).isEqualTo(before);
        assertThat(history()).hasSize(VERSIONS + 1);
    }

    @Test
    void callsNoCallbackOfTheApplication() {
        migrateModule();
        assertThat(jdbc.sql("SELECT to_regclass('called_back') IS NULL")
                        .query(Boolean.class)
                        .single())
                .isTrue();

        TestDatabase other = PostgresServer.shared().createDatabase();
        migrateApplication(other);
        assertThat(JdbcClient.create(other.dataSource())
                        .sql("SELECT count(*) FROM called_back")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void makesRoomForASecondModule() {
        TableNames second = new TableNames("public", "second_");
        migrateModule();

        TinyModule.schema(second).prepare(database.dataSource(), SchemaMode.MIGRATE);

        assertThat(TinyModule.history(jdbc, second)).containsExactly("0", "1", "2");
        assertThat(TinyModule.history(jdbc, TinyModule.NAMES)).containsExactly("0", "1", "2");
    }

    private void migrateApplication() {
        migrateApplication(database);
    }

    private void migrateApplication(TestDatabase database) {
        Flyway.configure()
                .dataSource(database.dataSource())
                .locations("filesystem:" + scripts)
                .validateOnMigrate(true)
                .outOfOrder(false)
                .failOnMissingLocations(true)
                .load()
                .migrate();
    }

    private void migrateModule() {
        TinyModule.schema(TinyModule.NAMES).prepare(database.dataSource(), SchemaMode.MIGRATE);
    }

    private void writeMigration(int version) throws IOException {
        Files.writeString(
                scripts.resolve("V" + version + "__step.sql"), "CREATE TABLE application_" + version + " (id bigint);");
    }

    private List<Map<String, Object>> history() {
        return jdbc.sql("SELECT * FROM flyway_schema_history ORDER BY installed_rank")
                .query()
                .listOfRows();
    }
}
