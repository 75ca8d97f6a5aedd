package dev.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Decision;
import dev.outbox.OutboxOperations;
import dev.outbox.Pause;
import dev.outbox.jdbc.JdbcOutboxOperations;
import dev.outbox.postgresql.TableNames;
import dev.outbox.testkit.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Who has an {@link OutboxOperations}. */
class OutboxOperationsIT {

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(OutboxAutoConfiguration.class, OutboxOperationsAutoConfiguration.class))
            .withBean(
                    DataSource.class,
                    () -> PostgresServer.shared().createDatabase().dataSource());

    @Test
    void everyServiceThatUsesTheOutboxHasItOnItsOwnTables() {
        service.withPropertyValues(
                        "outbox.schema.name=Ordering", "outbox.schema.table-prefix=My_", "outbox.relay.enabled=false")
                .run(context -> {
                    OutboxOperations operations = context.getBean(OutboxOperations.class);
                    operations.pause("orders", new Decision("ada", "broker upgrade"));
                    assertThat(operations.pauses()).extracting(Pause::topic).containsExactly("orders");
                });
    }

    @Test
    void theApplicationsOwnComesFirst() {
        OutboxOperations own = new JdbcOutboxOperations(
                PostgresServer.shared().createDatabase().dataSource(), new TableNames("public", "mine_"));
        service.withBean("own", OutboxOperations.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(OutboxOperations.class)).isSameAs(own));
    }

    @Test
    void aServiceThatOnlyConsumesHasNone() {
        service.withPropertyValues("outbox.append.enabled=false", "outbox.relay.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(OutboxOperations.class));
    }
}
