package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.postgresql.TransactionRequiredException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class AppendIT {

    private static final TestOutbox outbox = new TestOutbox();

    private final TransactionTemplate newTransaction = new TransactionTemplate(
            outbox.transactions, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));

    @AfterAll
    static void close() throws Exception {
        outbox.close();
    }

    @BeforeEach
    void clear() {
        outbox.clear();
    }

    @Test
    void refusesWithoutATransactionAndLeavesNoRow() {
        assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> outbox.writer.append(event("1")))
                .withMessageStartingWith("outbox.append needs a transaction on the DataSource HikariDataSource")
                .withMessageContaining("@Transactional");
        assertThat(rows()).isZero();
    }

    @Test
    void refusesWithoutATransactionInAPoolWithoutAutoCommit() throws Exception {
        try (TestOutbox other = new TestOutbox(
                outbox.database, TestOutbox.DEFAULT_NAMES, config -> config.setAutoCommit(false), false)) {
            assertThatExceptionOfType(TransactionRequiredException.class)
                    .isThrownBy(() -> other.writer.append(event("1")));
            other.append(event("2"));
        }
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void refusesAnotherThread() {
        outbox.transaction.executeWithoutResult(status -> assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> CompletableFuture.runAsync(() -> outbox.writer.append(event("1")))
                        .get())
                .withCauseInstanceOf(TransactionRequiredException.class));
        assertThat(rows()).isZero();
    }

    @Test
    void refusesAReadOnlyTransaction() {
        TransactionTemplate readOnly = new TransactionTemplate(outbox.transactions);
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> outbox.writer.append(event("1")))
                .withMessageContaining("read-only"));
        assertThat(rows()).isZero();
    }

    @Test
    void worksBeforeCommitAndIsRefusedAfterIt() {
        List<Throwable> refusals = new ArrayList<>();
        outbox.transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        outbox.writer.append(event("before commit"));
                    }

                    @Override
                    public void afterCommit() {
                        refusals.add(catchThrowable(() -> outbox.writer.append(event("after commit"))));
                    }

                    @Override
                    public void afterCompletion(int status) {
                        refusals.add(catchThrowable(() -> outbox.writer.append(event("after completion"))));
                    }
                }));

        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal)
                        .isInstanceOf(TransactionRequiredException.class)
                        .hasMessageContaining("after the transaction"));
        assertThat(outbox.count("aggregate_id = 'before commit'")).isEqualTo(1);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void followsTheInnerOfTwoTransactions() {
        outbox.transaction.executeWithoutResult(status -> {
            outbox.writer.append(event("outer"));
            newTransaction.executeWithoutResult(inner -> outbox.writer.append(event("inner")));
            newTransaction.executeWithoutResult(inner -> {
                outbox.writer.append(event("rolled back"));
                inner.setRollbackOnly();
            });
            outbox.writer.append(event("outer"));
            status.setRollbackOnly();
        });
        assertThat(rows()).isEqualTo(1);
        assertThat(outbox.count("aggregate_id = 'inner'")).isEqualTo(1);
    }

    @Test
    void tellsThatAnEarlierStatementHasFailed() {
        newTransaction.executeWithoutResult(status -> {
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> outbox.jdbc.sql("SELECT 1 / 0").query().singleValue());
            assertThatExceptionOfType(TransactionRequiredException.class)
                    .isThrownBy(() -> outbox.writer.append(event("1")))
                    .withMessageContaining("an earlier statement has already failed");
            status.setRollbackOnly();
        });
        assertThat(rows()).isZero();
    }

    @Test
    void appendsAllInOrderWithOneStatement() {
        CountingDataSource counting = new CountingDataSource(outbox.dataSource);
        OutboxWriter writer = outbox.writer(counting, true);
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(counting));
        List<Event> events =
                IntStream.range(0, 500).mapToObj(i -> event("a" + i % 7)).toList();

        List<UUID> ids = transaction.execute(status -> writer.appendAll(events));

        assertThat(counting.statements()).isEqualTo(1);
        assertThat(idsBySeq()).isEqualTo(ids);
    }

    @Test
    void keepsTheOrderOfAppendsInOneTransaction() {
        List<UUID> ids = new ArrayList<>();
        outbox.transaction.executeWithoutResult(status -> {
            for (int i = 0; i < 20; i++) {
                ids.add(outbox.writer.append(event("a" + i % 3)));
            }
        });
        assertThat(idsBySeq()).isEqualTo(ids);
    }

    @Test
    void refusesWhatBreaksALimitBeforeAnyStatement() {
        CountingDataSource counting = new CountingDataSource(outbox.dataSource);
        OutboxWriter writer = outbox.writer(counting, true);
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(counting));
        transaction.executeWithoutResult(status -> {
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> writer.append(event("i".repeat(1_282))))
                    .withMessage("aggregateId: 1282 characters, at least 1 and at most 512 allowed");
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> writer.append(event("a\0b")))
                    .withMessageContaining("aggregateId: character 1 of 3 is U+0000");
            assertThat(counting.statements()).isZero();
            writer.append(event("good"));
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void storesNameAndPlaceOfTheAggregateAsTheRelayLooksForThem() {
        Aggregate aggregate = new Aggregate("order", "Größe 😀", 7L);
        outbox.append(TestOutbox.event("orders", aggregate.id())
                .aggregateVersion(7)
                .header("a", "ä\"\\")
                .build());

        assertThat(outbox.jdbc
                        .sql("SELECT aggregate_type, aggregate_id, aggregate_version, aggregate_hash, lane,"
                                + " headers ->> 'a' AS header FROM outbox_event JOIN outbox_delivery USING (seq)")
                        .query()
                        .singleRow()
                        .values())
                .map(String::valueOf)
                .containsExactly(
                        "order",
                        "Größe 😀",
                        "7",
                        Long.toString(aggregate.hash()),
                        Integer.toString(Aggregate.lane(aggregate.hash())),
                        "ä\"\\");
    }

    private static Event event(String aggregateId) {
        return TestOutbox.event("orders", aggregateId).build();
    }

    private static List<UUID> idsBySeq() {
        return outbox.jdbc
                .sql("SELECT event_id FROM outbox_event ORDER BY seq")
                .query(UUID.class)
                .list();
    }

    /** What everybody sees, of both tables. */
    private static long rows() {
        return JdbcClient.create(outbox.database.dataSource())
                        .sql("SELECT (SELECT count(*) FROM outbox_event) + (SELECT count(*) FROM outbox_delivery)")
                        .query(Long.class)
                        .single()
                / 2;
    }
}
