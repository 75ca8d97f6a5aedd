package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import dev.outbox.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An application starts before its database. */
class SchemaPreparationIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A quarter of the usual one. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private static RestartablePostgres server;

    private final List<ILoggingEvent> log = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(event);
        }
    };
    private TestDatabase database;
    private HikariDataSource pool;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start(PostgresOptions.fast());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.start();
        database = server.createDatabase();
        pool = pool(database);
        appender.start();
        logger().addAppender(appender);
    }

    @AfterEach
    void close() {
        logger().detachAppender(appender);
        pool.close();
    }

    @Test
    void goesOnTryingWithALineForEachTryAndPreparesTheTablesWhenTheDatabaseComes() {
        server.stopImmediate();
        try (SchemaPreparation preparation = preparation(pool)) {
            preparation.start();
            assertThat(preparation.isReady()).isFalse();
            assertThat(preparation.notReady(null)).hasMessageContaining("tiny tables are not ready");
            long began = System.nanoTime();
            await().atMost(LIMIT).until(() -> log.size() >= 4);
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isGreaterThan(FIRST_PAUSE.multipliedBy(5).dividedBy(2));
            assertThat(log).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
            assertThat(log).extracting(ILoggingEvent::getThrowableProxy).containsOnlyNulls();

            server.start();
            await().atMost(LIMIT).until(preparation::isReady);
            assertThat(TinyModule.history(JdbcClient.create(pool), TinyModule.NAMES))
                    .containsExactly("0", "1", "2");
        }
    }

    @Test
    void triesSoonWhenSomebodyHasSeenTheDatabase() {
        server.stopImmediate();
        try (SchemaPreparation preparation = preparation(pool)) {
            preparation.start();
            await().atMost(LIMIT).until(() -> log.size() >= 4);
            server.start();
            long began = System.nanoTime();
            await().atMost(LIMIT).until(() -> {
                preparation.hurry();
                return preparation.isReady();
            });
            assertThat(log)
                    .hasSizeLessThanOrEqualTo(4 + 2 + (int) ((System.nanoTime() - began) / FIRST_PAUSE.toNanos()));
        }
    }

    @Test
    void whatAWriterMeetsMeanwhileIsExplained() {
        server.stopImmediate();
        try (SchemaPreparation preparation = preparation(pool)) {
            preparation.start();
            RuntimeException missing = new IllegalStateException(new SQLException("no such table", "42P01"));
            RuntimeException other = new IllegalStateException(new SQLException("no such luck", "23505"));
            assertThat(preparation.explain(missing))
                    .isInstanceOf(SchemaException.class)
                    .hasCause(missing);
            assertThat(preparation.explain(other)).isSameAs(other);
        }
    }

    @Test
    void theStartFailsWhereAPersonMustAct() throws Exception {
        TestDatabase missing =
                new TestDatabase(database.host(), database.port(), "missing", database.user(), database.password());
        try (HikariDataSource noDatabase = pool(missing);
                SchemaPreparation preparation = preparation(noDatabase)) {
            assertThatThrownBy(preparation::start).hasStackTraceContaining("\"missing\"");
        }
        try (Connection connection = database.dataSource().getConnection()) {
            connection.createStatement().execute("CREATE TABLE tiny_thing (id bigint)");
        }
        try (SchemaPreparation preparation = preparation(pool)) {
            assertThatThrownBy(preparation::start).isInstanceOf(SchemaException.class);
            assertThat(preparation.isReady()).isFalse();
        }
        assertThat(threads()).isZero();
    }

    @Test
    void whatAPersonMustDoAfterTheStartIsAnErrorUntilItIsDone() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.createStatement().execute("CREATE TABLE tiny_thing (id bigint)");
        }
        server.stopImmediate();
        try (SchemaPreparation preparation = preparation(pool)) {
            preparation.start();
            server.start();
            await().atMost(LIMIT).until(() -> log.stream().anyMatch(event -> event.getLevel() == Level.ERROR));
            assertThat(preparation.isReady()).isFalse();

            JdbcClient.create(database.dataSource())
                    .sql("DROP TABLE tiny_thing")
                    .update();
            await().atMost(LIMIT).until(preparation::isReady);
        }
    }

    @Test
    void endsWithTheContext() {
        server.stopImmediate();
        SchemaPreparation preparation = preparation(pool);
        preparation.start();
        assertThat(threads()).isEqualTo(1);
        preparation.close();

        assertThat(threads()).isZero();
        assertThat(log).hasSize(1);
    }

    private static SchemaPreparation preparation(HikariDataSource pool) {
        return new SchemaPreparation(
                "tiny", TinyModule.schema(TinyModule.NAMES), pool, SchemaMode.MIGRATE, FIRST_PAUSE);
    }

    /** As Spring Boot makes it: the first use opens it. */
    private static HikariDataSource pool(TestDatabase database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.jdbcUrl());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(1_000);
        return pool;
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tiny-schema"))
                .count();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(SchemaPreparation.class);
    }
}
