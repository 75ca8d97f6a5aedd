package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How far the transaction is. */
@ParameterizedClass(name = "auto-commit of the pool: {0}")
@ValueSource(booleans = {true, false})
class TransactionPhaseIT {

    @Parameter
    boolean autoCommit;

    private final List<Throwable> refusals = new ArrayList<>();
    private Ledger ledger;
    private TransactionTemplate transaction;
    private TransactionTemplate newTransaction;

    @BeforeEach
    void open() {
        ledger = new Ledger(autoCommit);
        transaction = ledger.transactions(ledger.pool);
        newTransaction = ledger.transactions(ledger.pool, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void writesBeforeCommitBelongToTheTransaction() {
        transaction.executeWithoutResult(status -> register(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                ledger.write("before commit");
            }

            @Override
            public void beforeCompletion() {
                ledger.write("before completion");
            }
        }));
        assertThat(ledger.entries()).containsExactly("before commit", "before completion");
    }

    @Test
    void refusesAfterCommit() {
        transaction.executeWithoutResult(status -> register(afterCommit(this::tryToWrite)));
        assertTooLate();
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesAfterCompletionOfACommit() {
        transaction.executeWithoutResult(status -> register(afterCompletion(this::tryToWrite)));
        assertTooLate();
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesAfterCompletionOfARollback() {
        transaction.executeWithoutResult(status -> {
            register(afterCompletion(this::tryToWrite));
            status.setRollbackOnly();
        });
        assertTooLate();
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesAfterCommitInATransactionThatJoinsTheCommittedOne() {
        transaction.executeWithoutResult(
                status -> register(afterCommit(() -> transaction.executeWithoutResult(inner -> tryToWrite()))));
        assertTooLate();
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesAfterCommitInATransactionOfAnotherDataSource() {
        try (Ledger other = new Ledger(autoCommit)) {
            TransactionTemplate others = ledger.transactions(other.pool);
            transaction.executeWithoutResult(
                    status -> register(afterCommit(() -> others.executeWithoutResult(inner -> tryToWrite()))));
        }
        assertTooLate();
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void allowsANewTransactionAfterCommitAndRefusesAgainBehindIt() {
        transaction.executeWithoutResult(status -> register(afterCommit(() -> {
            newTransaction.executeWithoutResult(inner -> ledger.write("new"));
            tryToWrite();
        })));
        assertTooLate();
        assertThat(ledger.entries()).containsExactly("new");
    }

    @Test
    void allowsATransactionThatBeganBeforeOneOfAnotherDataSourceCompletes() {
        try (Ledger other = new Ledger(autoCommit)) {
            TransactionTemplate others = ledger.transactions(other.pool);
            transaction.executeWithoutResult(status -> others.executeWithoutResult(
                    inner -> register(afterCommit(() -> ledger.write("outer is still open")))));
        }
        assertThat(ledger.entries()).containsExactly("outer is still open");
    }

    @Test
    void aNewTransactionFollowsItselfAndNotTheOuterOne() {
        transaction.executeWithoutResult(status -> {
            ledger.write("outer");
            newTransaction.executeWithoutResult(inner -> ledger.write("inner"));
            ledger.write("outer again");
            status.setRollbackOnly();
        });
        assertThat(ledger.entries()).containsExactly("inner");
    }

    @Test
    void aNestedTransactionFollowsItsSavepoint() {
        TransactionTemplate nested = ledger.transactions(ledger.pool, TransactionDefinition.PROPAGATION_NESTED);
        transaction.executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> ledger.write("a: released"));
            nested.executeWithoutResult(inner -> {
                ledger.write("b: rolled back");
                inner.setRollbackOnly();
            });
            ledger.write("c: outer");
        });
        assertThat(ledger.entries()).containsExactly("a: released", "c: outer");
    }

    @Test
    void forgetsATransactionWhoseCommitFailed() {
        JdbcClient jdbc = JdbcClient.create(ledger.pool);
        transaction.executeWithoutResult(status -> jdbc.sql(
                        "DROP TABLE IF EXISTS child, parent; CREATE TABLE parent (id bigint PRIMARY KEY); CREATE TABLE child (id bigint REFERENCES parent"
                                + " DEFERRABLE INITIALLY DEFERRED)")
                .update());

        assertThatExceptionOfType(TransactionSystemException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    ledger.write("lost");
                    jdbc.sql("INSERT INTO child VALUES (1)").update();
                }));
        transaction.executeWithoutResult(status -> ledger.write("next"));
        assertThat(ledger.entries()).containsExactly("next");
    }

    @Test
    void forgetsATransactionThatWasRolledBackAgainstItsWill() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    ledger.write("lost");
                    transaction.executeWithoutResult(inner -> inner.setRollbackOnly());
                }));
        transaction.executeWithoutResult(status -> ledger.write("next"));
        assertThat(ledger.entries()).containsExactly("next");
    }

    /** What is thrown after completion is swallowed, so it is kept. */
    private void tryToWrite() {
        refusals.add(catchThrowable(() -> ledger.write("too late")));
    }

    private void assertTooLate() {
        assertThat(refusals)
                .singleElement(as(InstanceOfAssertFactories.THROWABLE))
                .isInstanceOf(TransactionRequiredException.class)
                .hasMessageContaining("ledger-pool")
                .hasMessageContaining("after-commit")
                .hasMessageContaining("REQUIRES_NEW");
    }

    private static void register(TransactionSynchronization synchronization) {
        TransactionSynchronizationManager.registerSynchronization(synchronization);
    }

    private static TransactionSynchronization afterCommit(Runnable action) {
        return new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        };
    }

    private static TransactionSynchronization afterCompletion(Runnable action) {
        return new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        };
    }
}
