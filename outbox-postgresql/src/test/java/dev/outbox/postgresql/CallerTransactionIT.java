package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** Whose transaction it is. */
@ParameterizedClass(name = "auto-commit of the pool: {0}")
@ValueSource(booleans = {true, false})
class CallerTransactionIT {

    @Parameter
    boolean autoCommit;

    private Ledger ledger;

    /** What stands between an application and its pool. */
    enum Wrapping {
        NONE,
        LAZY,
        TRANSACTION_AWARE,
        LAZY_AND_TRANSACTION_AWARE;

        DataSource around(DataSource dataSource) {
            return switch (this) {
                case NONE -> dataSource;
                case LAZY -> new LazyConnectionDataSourceProxy(dataSource);
                case TRANSACTION_AWARE -> new TransactionAwareDataSourceProxy(dataSource);
                case LAZY_AND_TRANSACTION_AWARE ->
                    new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(dataSource));
            };
        }
    }

    @BeforeEach
    void open() {
        ledger = new Ledger(autoCommit);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void refusesWithoutATransactionAndNamesTheDataSource() {
        assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> ledger.write("a"))
                .withMessageStartingWith("ledger.write needs a transaction on the DataSource HikariDataSource"
                        + " (ledger-pool), and this thread has none. Call it inside a @Transactional method");
        assertThat(ledger.entries()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void joinsTheTransactionOfAWrappedDataSource(Wrapping wrapping) {
        TransactionTemplate transaction = ledger.transactions(wrapping.around(ledger.pool));

        assertFollows(transaction, ledger.pool);
    }

    @ParameterizedTest
    @EnumSource
    void joinsTheTransactionOfThePoolThroughAWrapping(Wrapping wrapping) {
        assertFollows(ledger.transactions(ledger.pool), wrapping.around(ledger.pool));
    }

    @Test
    void joinsTheTransactionOfARoutingDataSource() {
        AbstractRoutingDataSource routing = routing();

        assertFollows(ledger.transactions(routing), routing);
        assertFollows(ledger.transactions(new LazyConnectionDataSourceProxy(routing)), routing);
    }

    @Test
    void refusesTheTransactionOfARoutingDataSourceThatMayLeadElsewhere() {
        assertRefused(ledger.transactions(routing()));
    }

    @Test
    void refusesTheTransactionOfAnotherDataSource() {
        try (Ledger other = new Ledger(autoCommit)) {
            assertRefused(other.transactions(other.pool));
        }
    }

    @Test
    void refusesATransactionThatIsNoneOfADatabase() {
        assertRefused(new TransactionTemplate(new ForeignTransactions()));
    }

    @Test
    void refusesAConnectionThatAQueryHasBoundInsideATransactionOfOthers() {
        new TransactionTemplate(new ForeignTransactions()).executeWithoutResult(status -> {
            JdbcClient.create(ledger.pool).sql("SELECT 1").query(Integer.class).single();
            assertThatExceptionOfType(TransactionRequiredException.class).isThrownBy(() -> ledger.write("a"));
        });
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void joinsATransactionInsideOneOfOthers() {
        TransactionTemplate inner = ledger.transactions(ledger.pool);
        new TransactionTemplate(new ForeignTransactions()).executeWithoutResult(status -> {
            JdbcClient.create(ledger.pool).sql("SELECT 1").query(Integer.class).single();
            inner.executeWithoutResult(ignored -> ledger.write("a"));
        });
        assertThat(ledger.entries()).containsExactly("a");
    }

    @Test
    void joinsATransactionAroundOneOfOthers() {
        TransactionTemplate inner = new TransactionTemplate(new ForeignTransactions());
        ledger.transactions(ledger.pool).executeWithoutResult(status -> {
            inner.executeWithoutResult(ignored -> ledger.write("a"));
            status.setRollbackOnly();
        });
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesAnotherThread() {
        ledger.transactions(ledger.pool)
                .executeWithoutResult(status -> assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> CompletableFuture.runAsync(() -> ledger.write("a"))
                                .get())
                        .withCauseInstanceOf(TransactionRequiredException.class));
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesAReadOnlyTransaction() {
        TransactionTemplate readOnly = ledger.transactions(ledger.pool);
        readOnly.setReadOnly(true);

        readOnly.executeWithoutResult(status -> assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> ledger.write("a"))
                .withMessageContaining("read-only transaction on the DataSource HikariDataSource (ledger-pool)")
                .withMessageContaining("Remove readOnly = true"));
        assertThat(ledger.entries()).isEmpty();
    }

    private void assertFollows(TransactionTemplate transaction, DataSource dataSource) {
        transaction.executeWithoutResult(status -> {
            ledger.write(dataSource, "rolled back");
            status.setRollbackOnly();
        });
        assertThat(ledger.entries()).doesNotContain("rolled back");
        long before = ledger.entries().size();

        transaction.executeWithoutResult(status -> ledger.write(dataSource, "committed"));
        assertThat(ledger.entries()).hasSize((int) before + 1).contains("committed");
    }

    private void assertRefused(TransactionTemplate transaction) {
        transaction.executeWithoutResult(status -> assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> ledger.write("a"))
                .withMessageContaining("HikariDataSource (ledger-pool)")
                .withMessageEndingWith("the active transaction belongs to another one"));
        assertThat(ledger.entries()).isEmpty();
    }

    private AbstractRoutingDataSource routing() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "ledger";
            }
        };
        routing.setTargetDataSources(Map.of("ledger", ledger.pool));
        routing.afterPropertiesSet();
        return routing;
    }
}
