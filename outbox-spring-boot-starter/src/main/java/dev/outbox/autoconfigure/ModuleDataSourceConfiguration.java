package dev.outbox.autoconfigure;

import dev.outbox.postgresql.TransactionPhase;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What outbox and inbox share of the application's database. */
@Configuration(proxyBeanMethods = false)
class ModuleDataSourceConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ModuleDataSource moduleDataSource(
            @OutboxDataSource ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
        return ModuleDataSource.of(marked, all);
    }

    @Bean
    @ConditionalOnMissingBean
    TransactionPhase outboxTransactionPhase() {
        return new TransactionPhase();
    }

    @Bean
    @ConditionalOnMissingBean
    static TransactionPhaseRegistrar outboxTransactionPhaseRegistrar(ObjectProvider<TransactionPhase> phase) {
        return new TransactionPhaseRegistrar(phase);
    }
}
