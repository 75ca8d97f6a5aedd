package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of an operator's own, whatever the calling thread has open; a handler joins them. */
final class OperatorTransactions {

    private final TransactionTemplate template;
    private final CurrentTransaction transaction;
    private final InboxAudit audit;

    OperatorTransactions(
            DataSource dataSource, PlatformTransactionManager manager, TransactionPhase phase, TableNames tables) {
        this.template = new TransactionTemplate(manager);
        this.template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.transaction = new CurrentTransaction(dataSource, phase);
        this.audit = new InboxAudit(transaction, tables);
    }

    <T extends @Nullable Object> T inNew(Supplier<T> work) {
        return template.execute(status -> work.get());
    }

    /** Works inside the transactions only. */
    JdbcClient client() {
        return transaction.client();
    }

    /** Works inside the transactions only. */
    InboxAudit audit() {
        return audit;
    }
}
