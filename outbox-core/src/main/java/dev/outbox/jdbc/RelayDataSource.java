package dev.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * The outbox's {@code DataSource} under another identity. Spring binds a thread's connection to the identity of its {@code
 * DataSource}; so what a listener does on a relay thread with the application's one never falls into the relay's own
 * transactions, and an append there is refused instead of rolled back with a claim.
 */
final class RelayDataSource extends AbstractDataSource {

    private final DataSource dataSource;

    RelayDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return dataSource.getConnection();
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return dataSource.getConnection(username, password);
    }
}
