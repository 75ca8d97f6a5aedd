package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class ModuleSchemaIT {

    private final TestDatabase database = PostgresServer.shared().createDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());

    @Test
    void migratesAnEmptyDatabaseOnceUnderAHistoryOfItsOwn() {
        migrate(TinyModule.NAMES);
        migrate(TinyModule.NAMES);

        assertThat(TinyModule.history(jdbc, TinyModule.NAMES)).containsExactly("0", "1", "2");
        assertThat(relations("flyway_schema_history")).isZero();
        assertThat(jdbc.sql("INSERT INTO tiny_thing (id, name, mark) VALUES (1, 'a', 2)")
                        .update())
                .isEqualTo(1);
    }

    @Test
    void migratesASchemaThatHasTablesButNoHistory() {
        jdbc.sql("CREATE TABLE orders (id bigint)").update();

        migrate(TinyModule.NAMES);

        assertThat(TinyModule.history(jdbc, TinyModule.NAMES)).containsExactly("0", "1", "2");
    }

    @Test
    void makesASchemaOfMixedCaseWithAllItsTables() {
        TableNames names = new TableNames("MixedCase", "Tiny_");

        migrate(names);

        assertThat(jdbc.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'MixedCase'")
                        .query(String.class)
                        .list())
                .containsExactlyInAnyOrder("Tiny_thing", "Tiny_schema_history");
        TinyModule.schema(names).prepare(database.dataSource(), SchemaMode.VALIDATE);
    }

    @Test
    void tellsAUserWhoMayNotCreateTablesWhatToDoWithoutLongTrials() {
        String user = createUser();
        jdbc.sql("CREATE SCHEMA closed").update();
        jdbc.sql("GRANT USAGE ON SCHEMA closed TO " + user).update();
        Instant start = Instant.now();

        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> prepareAs(user, new TableNames("closed", "tiny_"), SchemaMode.MIGRATE))
                .withMessage("The database user may not create the tiny tables in schema \"closed\". Let a user who may"
                        + " run the SQL scripts in tiny/scripts of the tiny jar, then set the schema mode to"
                        + " 'validate'");
        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> prepareAs(user, new TableNames("missing", "tiny_"), SchemaMode.MIGRATE))
                .withMessageContaining("may not create the tiny tables in schema \"missing\"");
        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void tellsAUserWhoMayNotUpgradeTablesWhatToDo() {
        String user = createUser();
        migrate(TinyModule.NAMES);
        jdbc.sql("DELETE FROM tiny_schema_history WHERE version = '2'").update();
        jdbc.sql("ALTER TABLE tiny_thing DROP COLUMN mark").update();
        jdbc.sql("GRANT SELECT ON tiny_schema_history TO " + user).update();

        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> prepareAs(user, TinyModule.NAMES, SchemaMode.MIGRATE))
                .withMessageContaining("may not create the tiny tables in schema \"public\"")
                .withMessageContaining("'validate'");
    }

    @Test
    void acceptsTablesMadeByAnOwnerForAUserWhoMayNotCreateThem() {
        String user = createUser();
        jdbc.sql("CREATE SCHEMA owned").update();
        TableNames names = new TableNames("owned", "tiny_");
        TinyModule.createByHand(database, names);
        jdbc.sql("GRANT USAGE ON SCHEMA owned TO " + user).update();
        jdbc.sql("GRANT SELECT ON owned.tiny_thing TO " + user).update();

        prepareAs(user, names, SchemaMode.VALIDATE);

        assertThat(relations("tiny_schema_history")).isZero();
    }

    @Test
    void tellsWhatToDoWithTablesMadeByHandWhenItShouldMakeThem() {
        TinyModule.createByHand(database, TinyModule.NAMES);

        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> migrate(TinyModule.NAMES))
                .withMessageStartingWith("Schema \"public\" has tables with the names of the tiny tables")
                .withMessageContaining("set the schema mode to 'validate'");
        TinyModule.schema(TinyModule.NAMES).prepare(database.dataSource(), SchemaMode.VALIDATE);
    }

    @Test
    void namesEveryTableAndColumnThatIsMissing() {
        ModuleSchema schema = TinyModule.schema(TinyModule.NAMES);

        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> schema.prepare(database.dataSource(), SchemaMode.VALIDATE))
                .withMessage("Missing in the database: table \"public\".\"tiny_thing\". Run the SQL scripts in"
                        + " tiny/scripts of the tiny jar, or set the schema mode to 'migrate'");

        jdbc.sql("CREATE TABLE tiny_thing (id bigint, dropped int)").update();
        jdbc.sql("ALTER TABLE tiny_thing DROP COLUMN dropped").update();
        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> schema.prepare(database.dataSource(), SchemaMode.VALIDATE))
                .withMessageContaining(
                        "column \"public\".\"tiny_thing\".mark, column \"public\".\"tiny_thing\".name. Run");
        assertThat(relations("tiny_schema_history")).isZero();
    }

    @Test
    void isNotMisledByATableOfTheSameNameInAnotherSchema() {
        TinyModule.createByHand(database, TinyModule.NAMES);
        jdbc.sql("CREATE SCHEMA other").update();

        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> TinyModule.schema(new TableNames("other", "tiny_"))
                        .prepare(database.dataSource(), SchemaMode.VALIDATE))
                .withMessageContaining("table \"other\".\"tiny_thing\"");
    }

    @Test
    void neitherMakesNorChecksAnythingWhenToldSo() {
        TinyModule.schema(TinyModule.NAMES).prepare(database.dataSource(), SchemaMode.NONE);

        assertThat(relations("tiny_thing")).isZero();
    }

    private void migrate(TableNames names) {
        TinyModule.schema(names).prepare(database.dataSource(), SchemaMode.MIGRATE);
    }

    private void prepareAs(String user, TableNames names, SchemaMode mode) {
        TinyModule.schema(names)
                .prepare(new DriverManagerDataSource(database.jdbcUrl(), user, database.password()), mode);
    }

    private String createUser() {
        String user = "user_" + UUID.randomUUID().toString().replace("-", "");
        jdbc.sql("CREATE ROLE " + user + " LOGIN PASSWORD '" + database.password() + "'")
                .update();
        return user;
    }

    private long relations(String name) {
        return jdbc.sql("SELECT count(*) FROM pg_class WHERE relname = ?")
                .param(name)
                .query(Long.class)
                .single();
    }
}
