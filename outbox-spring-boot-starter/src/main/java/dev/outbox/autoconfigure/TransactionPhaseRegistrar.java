package dev.outbox.autoconfigure;

import dev.outbox.postgresql.TransactionPhase;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Lets the outbox know how far the transactions of every transaction manager are. */
class TransactionPhaseRegistrar implements BeanPostProcessor {

    private final ObjectProvider<TransactionPhase> phase;

    TransactionPhaseRegistrar(ObjectProvider<TransactionPhase> phase) {
        this.phase = phase;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(phase.getObject());
        }
        return bean;
    }
}
