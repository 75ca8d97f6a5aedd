package dev.outbox.chaos;

import dev.outbox.EventPublisher;
import dev.outbox.EventStore;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Breaks the outbox on purpose, as {@code chaos.planted} says, to see whether the check finds it. */
final class PlantedErrors implements BeanPostProcessor {

    private static final int SOME = 20;
    private static final Duration LATE = Duration.ofMillis(400);

    /** What is broken. */
    enum Planted {

        /** Nothing. */
        NONE,

        /** Some records are acknowledged and never sent. */
        NOT_SENT,

        /** Every record is acknowledged before it is sent. */
        SENT_LATE,

        /** Some records are acknowledged and sent after later ones of their aggregate. */
        SENT_OUT_OF_ORDER,

        /** Events are stored in a transaction of their own, which outlives a rollback of the caller's. */
        STORED_APART
    }

    private final Environment environment;
    private final ObjectProvider<PlatformTransactionManager> transactions;

    PlantedErrors(Environment environment, ObjectProvider<PlatformTransactionManager> transactions) {
        this.environment = environment;
        this.transactions = transactions;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Planted planted = environment.getProperty("chaos.planted", Planted.class, Planted.NONE);
        if (bean instanceof EventPublisher publisher) {
            return switch (planted) {
                case NOT_SENT -> new BrokenPublisher(publisher, SOME, null);
                case SENT_LATE -> new BrokenPublisher(publisher, 1, LATE);
                case SENT_OUT_OF_ORDER -> new BrokenPublisher(publisher, SOME, LATE);
                case NONE, STORED_APART -> bean;
            };
        }
        if (bean instanceof EventStore store && planted == Planted.STORED_APART) {
            return (EventStore) records -> apart().executeWithoutResult(status -> store.append(records));
        }
        return bean;
    }

    private TransactionTemplate apart() {
        return new TransactionTemplate(
                transactions.getObject(),
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
    }
}
