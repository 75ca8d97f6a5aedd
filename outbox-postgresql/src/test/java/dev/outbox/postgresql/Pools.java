package dev.outbox.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.testkit.TestDatabase;
import java.util.function.Consumer;

/** Connection pools as applications have them. */
final class Pools {

    private Pools() {}

    static HikariDataSource open(TestDatabase database, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        settings.accept(config);
        return new HikariDataSource(config);
    }
}
