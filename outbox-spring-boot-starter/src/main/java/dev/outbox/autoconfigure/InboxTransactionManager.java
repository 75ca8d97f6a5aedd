package dev.outbox.autoconfigure;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Finds the transaction manager of handlers. */
final class InboxTransactionManager {

    private static final String PROPERTY = "outbox.inbox.transaction-manager";

    private InboxTransactionManager() {}

    /**
     * The named one, else the only or primary one, else the only one that isn't Kafka's.
     *
     * @throws InvalidOutboxPropertyException if that is none
     */
    static PlatformTransactionManager find(
            @Nullable String name, ListableBeanFactory beans, ObjectProvider<PlatformTransactionManager> managers) {
        if (name != null) {
            return beans.getBean(name, PlatformTransactionManager.class);
        }
        PlatformTransactionManager unique = managers.getIfUnique();
        if (unique != null) {
            return unique;
        }
        Map<String, PlatformTransactionManager> all = beans.getBeansOfType(PlatformTransactionManager.class);
        all.values().removeIf(KafkaTransactionManager.class::isInstance);
        if (all.size() != 1) {
            throw new InvalidOutboxPropertyException(
                    PROPERTY,
                    new IllegalArgumentException("the transaction manager of idempotent listeners could be any of "
                            + all.keySet() + "; name the one that works on the inbox's DataSource"));
        }
        return all.values().iterator().next();
    }
}
