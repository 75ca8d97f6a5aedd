package dev.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.PostgresServer;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Mistakes stop the start-up with a sentence that says what to do. */
class StartUpFailureIT {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "outbox.kafka.properties.acks=1 | acks=1 must be all | outbox.kafka.properties",
                "spring.kafka.properties.enable.idempotence=false | enable.idempotence=false | spring.kafka.properties",
                "outbox.kafka.properties.transactional.id=x | transactional.id must not be set | outbox.kafka.properties",
                "outbox.kafka.transaction-id-prefix=  | prefix of transactional ids is blank | outbox.kafka",
                "outbox.append.max-payload-size=2MB | max.request.size | outbox.append",
                "outbox.append.max-payload-size=3GB | outbox.append | outbox.append",
                "outbox.relay.lanes-per-claim=65 | lanes per claim: 65, must be from 1 to 64 | outbox.relay",
                "outbox.relay.workers=10 | spring.datasource.hikari.maximum-pool-size is 10; make it at least 11 | outbox.relay",
                "spring.datasource.hikari.maximum-pool-size=1 | migrate takes 2 connections at once | outbox.schema",
                "outbox.relay.polling.min-interval=1h | exceeds its maximum | outbox.relay",
                "outbox.purge.period=1ms | at least 100 ms | outbox.purge",
                "outbox.schema.partition-size=999 | partition size: 999, must be from 1000 | outbox.schema",
                "outbox.schema.name=drop table | schema (10 characters) | outbox.schema",
                "outbox.schema.table-prefix=x-y | table prefix (3 characters) | outbox.schema",
                "outbox.schema.mode=validate | Missing in the database: table | outbox.schema.mode",
                "outbox.inbox.schema.mode=validate | Missing in the database: table | outbox.inbox.schema.mode",
                "outbox.inbox.retry.max-attempts=0 | at least 1, not 0 | outbox.inbox",
                "spring.kafka.consumer.enable-auto-commit=true | enable.auto.commit is 'true' |"
                        + " outbox.inbox.kafka.properties.enable.auto.commit=false",
                "spring.kafka.consumer.isolation-level=read-uncommitted | isolation.level is 'read_uncommitted' |"
                        + " outbox.inbox.kafka.properties",
                "spring.kafka.consumer.auto-offset-reset=latest | auto.offset.reset is 'latest' |"
                        + " outbox.inbox.kafka.properties.auto.offset.reset=earliest"
            })
    void aMistakeIsNamedWithWhatToDo(String property, String description, String action) {
        FailureAnalysis analysis = analyse(
                catchThrowable(() -> StarterApplication.start(property.strip()).close()));
        assertThat(analysis.getDescription()).contains(description.strip());
        assertThat(analysis.getAction()).contains(action.strip());
    }

    @Test
    void aUserWithoutTheRightToCreateIsToldAboutTheScripts() throws Exception {
        var database = PostgresServer.shared().createDatabase();
        String user = "limited_" + database.name();
        try (Connection connection = database.dataSource().getConnection()) {
            connection
                    .createStatement()
                    .execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE \"" + user
                            + "\" LOGIN PASSWORD 'limited'");
        }
        FailureAnalysis analysis = analyse(catchThrowable(() -> StarterApplication.start(
                        database,
                        StarterApplication.Orders.class,
                        "spring.datasource.username=" + user,
                        "spring.datasource.password=limited")
                .close()));
        assertThat(analysis.getDescription())
                .contains("dev/outbox/schema/scripts")
                .contains("validate");
        assertThat(analysis.getAction()).contains("outbox.schema.mode");
    }

    @Test
    void aLayoutThatTheTablesDoNotHaveIsRefused() {
        var database = PostgresServer.shared().createDatabase();
        try (var context = StarterApplication.start(
                database,
                StarterApplication.Orders.class,
                "outbox.schema.layout=partitioned",
                "outbox.inbox.schema.layout=partitioned",
                "outbox.inbox.schema.partition-period=2d")) {
            // Ahead, far, old, four or five of the retention, seven ahead.
            await().untilAsserted(() -> assertThat(JdbcClient.create(context.getBean(DataSource.class))
                            .sql("SELECT count(*) FROM pg_inherits WHERE inhparent = 'inbox_processed'::regclass")
                            .query(Integer.class)
                            .single())
                    .isBetween(14, 16));
        }
        FailureAnalysis analysis =
                analyse(catchThrowable(() -> StarterApplication.start(database, StarterApplication.Orders.class)
                        .close()));
        assertThat(analysis.getDescription()).contains("is partitioned, but the plain layout is asked for");
        assertThat(analysis.getAction()).contains("layout");
    }

    @Test
    void theInboxesOwnPropertiesOverruleThoseOfTheApplicationsConsumers() {
        StarterApplication.start(
                        "spring.kafka.consumer.auto-offset-reset=latest",
                        "outbox.inbox.kafka.properties.auto.offset.reset=earliest")
                .close();
    }

    @Test
    void claimsByLeaseNeedNoConnectionForEachWorker() {
        StarterApplication.start("outbox.relay.workers=10", "outbox.relay.claim=lease")
                .close();
    }

    private static FailureAnalysis analyse(Throwable failure) {
        return Objects.requireNonNull(new OutboxFailureAnalyzer().analyze(failure), failure::toString);
    }
}
