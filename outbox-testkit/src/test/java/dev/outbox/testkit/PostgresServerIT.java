package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresServerIT {

    @Test
    void theServerIsSharedByAllTestsOfTheJvm() {
        assertThat(PostgresServer.shared()).isSameAs(PostgresServer.shared());
    }

    @Test
    void everyDatabaseIsEmptyAndSeparateFromTheOthers() throws SQLException {
        TestDatabase one = PostgresServer.shared().createDatabase();
        TestDatabase other = PostgresServer.shared().createDatabase();

        execute(one, "CREATE TABLE mine (id int)");

        assertThat(one.name()).isNotEqualTo(other.name());
        assertThat(query(one, "SELECT to_regclass('mine') IS NULL")).isEqualTo("f");
        assertThat(query(other, "SELECT to_regclass('mine') IS NULL")).isEqualTo("t");
    }

    @Test
    void theSharedServerTradesDurabilityForSpeed() throws SQLException {
        TestDatabase database = PostgresServer.shared().createDatabase();

        assertThat(query(database, "SHOW fsync")).isEqualTo("off");
        assertThat(query(database, "SHOW max_connections")).isEqualTo("300");
    }

    @Test
    void aPrivateServerHasTheGivenSettings() throws SQLException {
        RestartablePostgres server =
                PostgresServer.start(PostgresOptions.durable().with("work_mem", "5MB"));
        try (server) {
            TestDatabase database = server.createDatabase();
            assertThat(query(database, "SHOW fsync")).isEqualTo("on");
            assertThat(query(database, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(query(database, "SHOW work_mem")).isEqualTo("5MB");
        }
        assertThat(server.directory()).doesNotExist();
    }

    @Test
    void aPrivateServerKeepsItsCommitsAndItsPortOverAnImmediateStop() throws SQLException {
        RestartablePostgres server = PostgresServer.start(PostgresOptions.fast());
        try (server) {
            TestDatabase database = server.createDatabase();
            execute(database, "CREATE TABLE kept (id int)");
            try (Connection open = database.dataSource().getConnection()) {
                execute(database, "INSERT INTO kept VALUES (7)");
                server.stopImmediate();
                assertThat(open.isValid(5)).isFalse();
            }
            assertThatThrownBy(() -> query(database, "SELECT 1")).isInstanceOf(SQLException.class);

            server.start();

            assertThat(query(database, "SELECT id FROM kept")).isEqualTo("7");
            server.stopImmediate();
        }
        assertThat(server.directory()).doesNotExist();
    }

    @Test
    void aPausedServerAnswersNeitherOldNorNewConnectionsUntilItIsResumed() throws SQLException {
        RestartablePostgres server = PostgresServer.start(PostgresOptions.fast());
        try (server) {
            TestDatabase database = server.createDatabase();
            DataSource impatient = database.dataSource();
            impatient.setLoginTimeout(1);
            try (Connection open = impatient.getConnection();
                    Connection patient = impatient.getConnection()) {
                server.pause();
                assertThat(open.isValid(1)).isFalse();
                assertThatThrownBy(impatient::getConnection).isInstanceOf(SQLException.class);

                server.resume();

                assertThat(patient.isValid(5)).isTrue();
                assertThat(query(database, "SELECT 7")).isEqualTo("7");
            }
            server.pause();
        }
        assertThat(server.directory()).doesNotExist();
        assertThatThrownBy(server::pause).hasMessageContaining("start() it first");
    }

    @Test
    void onlyTheBackendsOfTheNamedDatabaseAreTerminated() throws SQLException {
        TestDatabase victim = PostgresServer.shared().createDatabase();
        TestDatabase bystander = PostgresServer.shared().createDatabase();
        try (Connection ended = victim.dataSource().getConnection();
                Connection alive = bystander.dataSource().getConnection()) {

            assertThat(PostgresServer.shared().terminateBackends(victim.name())).isEqualTo(1);

            assertThat(ended.isValid(5)).isFalse();
            assertThat(alive.isValid(5)).isTrue();
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }
}
