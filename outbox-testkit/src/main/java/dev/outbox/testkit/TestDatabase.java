package dev.outbox.testkit;

import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One database of a PostgreSQL server and the way to reach it. Its user is a superuser.
 *
 * @param host name or address of the server
 * @param port TCP port of the server
 * @param name name of the database
 * @param user login role
 * @param password password of the role; embedded servers accept any
 */
public record TestDatabase(String host, int port, String name, String user, String password) {

    private static final String CREATE = "CREATE DATABASE \"%s\"";
    private static final String TERMINATE =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ? AND pid <> pg_backend_pid()";

    /** Returns the JDBC URL without user and password. */
    public String jdbcUrl() {
        return "jdbc:postgresql://%s:%d/%s".formatted(host, port, name);
    }

    /** Returns a new DataSource without a pool: every {@code getConnection()} opens a connection. */
    public DataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(jdbcUrl());
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    /** Returns the same database reached at another address, for example through a {@link TcpProxy}. */
    public TestDatabase at(String otherHost, int otherPort) {
        return new TestDatabase(otherHost, otherPort, name, user, password);
    }

    /** Creates an empty database with a unique name on the same server. */
    TestDatabase createSibling() {
        String sibling = "test_" + UUID.randomUUID().toString().replace("-", "");
        try (var connection = dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(CREATE.formatted(sibling));
        } catch (SQLException e) {
            throw new IllegalStateException("Could not create a database at " + jdbcUrl(), e);
        }
        return new TestDatabase(host, port, sibling, user, password);
    }

    /** Terminates every other backend that is connected to the database of that name, and returns their number. */
    int terminateBackends(String database) {
        try (var connection = dataSource().getConnection();
                var statement = connection.prepareStatement(TERMINATE)) {
            statement.setString(1, database);
            try (var terminated = statement.executeQuery()) {
                int count = 0;
                while (terminated.next()) {
                    count++;
                }
                return count;
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Could not terminate the backends of " + database, e);
        }
    }
}
