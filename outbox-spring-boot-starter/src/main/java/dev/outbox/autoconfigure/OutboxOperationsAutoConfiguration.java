package dev.outbox.autoconfigure;

import dev.outbox.OutboxOperations;
import dev.outbox.jdbc.JdbcOutboxOperations;
import dev.outbox.postgresql.TableNames;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of what operators may decide, wherever the outbox is in use. The bean does nothing until the
 * application calls it, and nothing of it is exposed.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnBean(ModuleDataSource.class)
@Conditional(OnOutboxInUse.class)
public final class OutboxOperationsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxOperations outboxOperations(
            ModuleDataSource moduleDataSource, TableNames outboxTableNames, SchemaInitializer outboxSchemaInitializer) {
        return new JdbcOutboxOperations(moduleDataSource.dataSource(), outboxTableNames);
    }
}
