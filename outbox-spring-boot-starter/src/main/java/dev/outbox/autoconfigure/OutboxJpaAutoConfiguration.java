package dev.outbox.autoconfigure;

import dev.outbox.PendingChanges;
import dev.outbox.jpa.PersistenceContextFlush;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.EntityManagerHolder;

/** Auto-configuration that flushes the persistence context before an append. */
@AutoConfiguration(
        after = OutboxAutoConfiguration.class,
        afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({EntityManagerFactory.class, EntityManagerHolder.class})
@ConditionalOnBean({EntityManagerFactory.class, RelayWakeUp.class})
public final class OutboxJpaAutoConfiguration {

    @Bean
    PendingChanges outboxPersistenceContextFlush(ObjectProvider<EntityManagerFactory> factories) {
        var flushes = factories.stream().map(PersistenceContextFlush::new).toList();
        return () -> flushes.forEach(PersistenceContextFlush::flush);
    }
}
