package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.FailedEvent;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.VersionSettings;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The versions of aggregates, for the consumers that go by them. Thread-safe. */
public final class InboxVersions implements Admissions {

    private final Map<ConsumerName, NextVersions> strict = new ConcurrentHashMap<>();
    private final AggregateVersions versions;
    private final EarlyEvents early;
    private final Successors successors;
    private final VersionSettings settings;
    private final EarlyEventSweeper sweeper;

    private InboxVersions(Builder builder) {
        CurrentTransaction current = new CurrentTransaction(builder.dataSource, builder.phase);
        TransactionTemplate transaction = new TransactionTemplate(builder.transactionManager);
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        InboxListener listener = builder.listener;
        this.settings = builder.settings;
        this.versions = new AggregateVersions(current, builder.tables);
        this.early = new EarlyEvents(current, builder.tables);
        EarlyTurns turns = new EarlyTurns(builder.dataSource, builder.tables);
        EarlyOutcomes outcomes =
                new EarlyOutcomes(versions, early, transaction, builder.deadLetters, builder.retry, listener);
        this.successors = new Successors(versions, early, turns, transaction, builder.consumers, outcomes);
        this.sweeper = new EarlyEventSweeper(
                strict.keySet(),
                turns,
                successors,
                new VersionGaps(settings, versions, early, transaction, builder.consumers, outcomes),
                settings,
                listener);
    }

    /**
     * @param dataSource where the inbox's tables are
     * @param transactionManager the application's, which works on that {@code DataSource}
     * @param phase a listener that was added to the transaction manager
     */
    public static Builder builder(
            DataSource dataSource, PlatformTransactionManager transactionManager, TransactionPhase phase) {
        return new Builder(dataSource, transactionManager, phase);
    }

    @Override
    public List<Admission> of(ConsumerName consumer, IdempotentListener listener) {
        return switch (listener.versions()) {
            case NONE -> List.of();
            case SKIP_STALE -> List.of(new NewerVersions(versions));
            case STRICT -> List.of(strictFor(consumer, listener.firstVersion()));
        };
    }

    private Admission strictFor(ConsumerName consumer, long firstVersion) {
        if (firstVersion < 0) {
            throw new IllegalStateException(
                    "The firstVersion of consumer '" + consumer + "' must be at least 0, not " + firstVersion);
        }
        NextVersions admission = new NextVersions(versions, early, successors, settings, firstVersion);
        strict.put(consumer, admission);
        return admission;
    }

    /**
     * Returns what looks after early events.
     *
     * @param ready whether the tables can be used; until they can, nothing is looked at
     */
    public EarlyEventSweeper sweeper(BooleanSupplier ready) {
        return sweeper.when(ready);
    }

    /** Collects what it is made of; only the database has no default. */
    public static final class Builder {

        private final DataSource dataSource;
        private final PlatformTransactionManager transactionManager;
        private final TransactionPhase phase;
        private TableNames tables = InboxSettings.defaults().tables();
        private RetrySettings retry = RetrySettings.defaults();
        private VersionSettings settings = VersionSettings.defaults();
        private LocalConsumers consumers = new LocalConsumers();
        private InboxListener listener = new InboxListener() {};
        private BiConsumer<ConsumerName, FailedEvent> deadLetters = (consumer, event) -> {
            throw new IllegalStateException(
                    "Consumer '" + consumer + "' has no place for dead letters, so " + event + " stays early");
        };

        private Builder(DataSource dataSource, PlatformTransactionManager transactionManager, TransactionPhase phase) {
            this.dataSource = dataSource;
            this.transactionManager = transactionManager;
            this.phase = phase;
        }

        /** Sets where the tables live, and what happens after failures. */
        public Builder inbox(InboxSettings inbox) {
            this.tables = inbox.tables();
            this.retry = inbox.retry();
            return this;
        }

        /** Sets how early events are kept. */
        public Builder settings(VersionSettings settings) {
            this.settings = settings;
            return this;
        }

        /** Sets whose handlers run in this application. Early events of others are left to other instances. */
        public Builder localConsumers(LocalConsumers consumers) {
            this.consumers = consumers;
            return this;
        }

        /**
         * Sets where early events go for good. It is called in a transaction, for events whose id the inbox has recorded.
         */
        public Builder deadLetters(BiConsumer<ConsumerName, FailedEvent> deadLetters) {
            this.deadLetters = deadLetters;
            return this;
        }

        /** Sets the observers, each isolated from the others. */
        public Builder listeners(Collection<? extends InboxListener> listeners) {
            this.listener = InboxListener.all(listeners);
            return this;
        }

        public InboxVersions build() {
            return new InboxVersions(this);
        }
    }
}
