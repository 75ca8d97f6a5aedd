package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.postgresql.TransactionRequiredException;
import dev.outbox.testkit.PostgresServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class ProcessOnceIT {

    private static final TableNames TABLES = InboxSettings.defaults().tables();

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final JdbcTransactionManager transactionManager = new JdbcTransactionManager(database.pool());
    private final TransactionTemplate transaction = new TransactionTemplate(transactionManager);
    private final JdbcClient jdbc = JdbcClient.create(database.pool());
    private final List<String> observed = new ArrayList<>();
    private final Inbox inbox = inbox(transactionManager);
    private final UUID event = UUID.randomUUID();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void theFirstTimeTheEffectIsAppliedAndDurableAndThenItIsADuplicate() {
        assertThat(inbox.processOnce("billing", event, this::effect)).isTrue();
        assertThat(database.effects(event)).isEqualTo(1);
        assertThat(inbox.processOnce("billing", event, this::effect)).isFalse();
        assertThat(inbox.processOnce("shipping", event, this::effect)).isTrue();

        assertThat(database.effects(event)).isEqualTo(2);
        assertThat(observed).containsExactly("processed billing", "duplicate billing", "processed shipping");
    }

    @Test
    void insideTheCallersTransactionItCommitsAndRollsBackWithIt() {
        transaction.executeWithoutResult(status -> {
            assertThat(inbox.processOnce("billing", event, this::effect)).isTrue();
            assertThat(inbox.processOnce("billing", event, this::effect)).isFalse();
            assertThat(observed).isEmpty();
            status.setRollbackOnly();
        });
        assertThat(database.effects()).isZero();
        assertThat(database.processed()).isZero();
        assertThat(observed).isEmpty();

        transaction.executeWithoutResult(status -> {
            inbox.processOnce("billing", event, this::effect);
            assertThat(database.effects()).isZero();
        });
        assertThat(database.effects(event)).isEqualTo(1);
        assertThat(observed).containsExactly("processed billing");
    }

    @Test
    void anEffectThatThrowsLeavesNothingAndItsExceptionArrivesAsItIs() {
        assertThatThrownBy(() -> inbox.processOnce("billing", event, () -> {
                    effect();
                    throw new IOException("disk full");
                }))
                .isExactlyInstanceOf(IOException.class);
        assertThat(database.processed()).isZero();

        assertThat(inbox.processOnce("billing", event, this::effect)).isTrue();
        assertThat(database.effects(event)).isEqualTo(1);
    }

    @Test
    void anEffectThatThrowsInsideTheCallersTransactionForcesItsRollback() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    try {
                        inbox.processOnce("billing", event, () -> {
                            effect();
                            throw new IllegalStateException("swallowed");
                        });
                    } catch (IllegalStateException e) {
                        assertThat(status.isRollbackOnly()).isTrue();
                    }
                }))
                .isInstanceOf(org.springframework.transaction.UnexpectedRollbackException.class);

        assertThat(database.effects()).isZero();
        assertThat(database.processed()).isZero();
    }

    @Test
    void threadsThatProcessTheSameEventAtOnceApplyItOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Boolean> once = () -> inbox.processOnce("billing", event, this::effect);
            int applied = 0;
            for (Future<Boolean> result : threads.invokeAll(List.of(once, once, once, once))) {
                applied += result.get() ? 1 : 0;
            }
            assertThat(applied).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
        assertThat(database.effects(event)).isEqualTo(1);
    }

    @Test
    void aTransactionOfAnotherDatabaseIsNotJoined() {
        try (InboxDatabase other = InboxDatabase.in(PostgresServer.shared().createDatabase())) {
            Inbox mistaken = inbox(new JdbcTransactionManager(other.pool()));

            assertThatThrownBy(mistaken::checkTransactionManager).isInstanceOf(TransactionRequiredException.class);
            assertThatThrownBy(() -> mistaken.processOnce("billing", event, this::effect))
                    .isInstanceOf(TransactionRequiredException.class)
                    .hasMessageContaining("belongs to another one");
        }
        assertThat(database.processed()).isZero();
    }

    @Test
    void aReadOnlyOrCompletingTransactionIsRefused() {
        TransactionTemplate readOnly = new TransactionTemplate(transactionManager);
        readOnly.setReadOnly(true);
        assertThatThrownBy(() ->
                        readOnly.executeWithoutResult(status -> inbox.processOnce("billing", event, this::effect)))
                .isInstanceOf(TransactionRequiredException.class)
                .hasMessageContaining("read-only");

        List<Throwable> refusals = new ArrayList<>();
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        refusals.add(org.assertj.core.api.Assertions.catchThrowable(
                                () -> inbox.processOnce("billing", event, ProcessOnceIT.this::effect)));
                    }
                }));
        assertThat(refusals)
                .hasOnlyElementsOfType(TransactionRequiredException.class)
                .hasSize(1);
        assertThat(database.processed()).isZero();
    }

    @Test
    void throughALazyProxyItJoinsTheSameTransaction() {
        JdbcTransactionManager lazy = new JdbcTransactionManager(new LazyConnectionDataSourceProxy(database.pool()));
        Inbox proxied = inbox(lazy);

        new TransactionTemplate(lazy).executeWithoutResult(status -> {
            assertThat(proxied.processOnce("billing", event, () -> {})).isTrue();
            status.setRollbackOnly();
        });

        assertThat(database.processed()).isZero();
    }

    @Test
    void aMissingTableIsTheInboxsFailureNotTheEvents() {
        database.execute("DROP TABLE inbox_processed");

        assertThatThrownBy(() -> inbox.processOnce("billing", event, this::effect))
                .isInstanceOf(InboxUnavailableException.class)
                .hasMessageContaining("\"public\".\"inbox_processed\"");
    }

    private Inbox inbox(JdbcTransactionManager manager) {
        TransactionPhase phase = new TransactionPhase();
        manager.addListener(phase);
        InboxListener listener = new InboxListener() {
            @Override
            public void processed(String consumer, UUID eventId) {
                observed.add("processed " + consumer);
            }

            @Override
            public void duplicate(String consumer, UUID eventId) {
                observed.add("duplicate " + consumer);
            }
        };
        return new JdbcInbox(database.pool(), manager, phase, TABLES, List.of(listener));
    }

    private void effect() {
        jdbc.sql("INSERT INTO effect (consumer, event_id) VALUES ('any', ?)")
                .param(event)
                .update();
    }
}
