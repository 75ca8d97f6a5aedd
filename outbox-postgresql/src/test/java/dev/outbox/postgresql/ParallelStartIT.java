package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Instances that start at once on one database, each with a pool of two connections. */
class ParallelStartIT {

    private static final int INSTANCES = 4;

    private final TestDatabase database = PostgresServer.shared().createDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final ExecutorService instances = Executors.newFixedThreadPool(INSTANCES);

    @AfterEach
    void stop() {
        instances.shutdownNow();
    }

    @RepeatedTest(2)
    void makesTheTablesOfAnEmptyDatabaseOnce() throws Exception {
        migrateAtOnce(TinyModule.NAMES);
    }

    @RepeatedTest(2)
    void makesTheTablesOnceInASchemaThatDoesNotExistYet() throws Exception {
        migrateAtOnce(new TableNames("Missing", "tiny_"));
    }

    @Test
    void makesTheTablesOnceBesideThoseOfAnApplication() throws Exception {
        jdbc.sql("CREATE TABLE orders (id bigint)").update();
        migrateAtOnce(TinyModule.NAMES);
    }

    private void migrateAtOnce(TableNames names) throws Exception {
        CyclicBarrier start = new CyclicBarrier(INSTANCES);
        List<Future<?>> results = IntStream.range(0, INSTANCES)
                .<Future<?>>mapToObj(instance -> instances.submit(() -> migrate(names, start)))
                .toList();
        for (Future<?> result : results) {
            result.get(60, TimeUnit.SECONDS);
        }

        assertThat(TinyModule.history(jdbc, names)).containsExactly("0", "1", "2");
    }

    private Void migrate(TableNames names, CyclicBarrier start) throws Exception {
        try (HikariDataSource pool = Pools.open(database, config -> {
            config.setMaximumPoolSize(2);
            config.setConnectionTimeout(10_000);
        })) {
            start.await();
            TinyModule.schema(names).prepare(pool, SchemaMode.MIGRATE);
        }
        return null;
    }
}
