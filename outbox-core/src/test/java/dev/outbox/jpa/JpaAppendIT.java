package dev.outbox.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.AppendLimits;
import dev.outbox.OutboxListener;
import dev.outbox.OutboxWriter;
import dev.outbox.TestOutbox;
import dev.outbox.jdbc.JdbcEventStore;
import dev.outbox.postgresql.TransactionRequiredException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.OptimisticLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that keeps its state with Hibernate. */
class JpaAppendIT {

    private static final TestOutbox outbox = new TestOutbox();
    private static final EntityManagerFactory entityManagerFactory = entityManagerFactory();

    private final TransactionTemplate transaction = new TransactionTemplate(transactionManager());
    private final OutboxWriter writer = OutboxWriter.create(
            new JdbcEventStore(outbox.dataSource, outbox.phase, TestOutbox.DEFAULT_NAMES, true),
            List.of(),
            List.of(),
            List.of(new PersistenceContextFlush(entityManagerFactory)),
            new AppendLimits(1_000),
            new OutboxListener() {});

    @AfterAll
    static void close() throws Exception {
        entityManagerFactory.close();
        outbox.close();
    }

    @BeforeEach
    void placeAnOrder() {
        outbox.clear();
        outbox.jdbc
                .sql("DROP TABLE IF EXISTS purchase_order; CREATE TABLE purchase_order (id bigint PRIMARY KEY, version"
                        + " bigint NOT NULL, status text NOT NULL)")
                .update();
        transaction.executeWithoutResult(status -> entityManager().persist(new PurchaseOrder(1)));
    }

    @Test
    void anAppendFollowsTheChangeOfItsAggregateInTheSameTransaction() {
        transaction.executeWithoutResult(status -> {
            confirmAndAppend();
            assertThat(order().isConfirmed()).isTrue();
            assertThat(statusInTransaction()).isEqualTo("confirmed");
            assertThat(outbox.count("true")).isEqualTo(1);
        });
        assertThat(outbox.count("published_at IS NULL")).isEqualTo(1);
    }

    @Test
    void aRollbackLeavesNeitherChangeNorEvent() {
        transaction.executeWithoutResult(status -> {
            confirmAndAppend();
            status.setRollbackOnly();
        });
        assertThat(statusInTransaction()).isEqualTo("pending");
        assertThat(outbox.count("true")).isZero();
    }

    @Test
    void aLostUpdateIsNoticedBeforeTheEventIsWritten() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    PurchaseOrder order = order();
                    Thread other = new Thread(() -> outbox.jdbc
                            .sql("UPDATE purchase_order SET version = version + 1")
                            .update());
                    other.start();
                    joinUninterruptibly(other);
                    order.confirm();
                    assertThatExceptionOfType(OptimisticLockException.class).isThrownBy(() -> append(order));
                    assertThat(outbox.count("true")).isZero();
                    throw new IllegalStateException("given up");
                }))
                .hasMessage("given up");
    }

    @Test
    void refusesWithoutATransactionReadOnlyAndAfterCommit() {
        assertThatExceptionOfType(TransactionRequiredException.class).isThrownBy(() -> append(new PurchaseOrder(1)));
        TransactionTemplate readOnly = new TransactionTemplate(transactionManager());
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> append(order()))
                .withMessageContaining("read-only"));
        List<Throwable> refusals = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            order();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    refusals.add(catchThrowable(() -> append(new PurchaseOrder(1))));
                }
            });
        });

        assertThat(refusals).singleElement().isInstanceOf(TransactionRequiredException.class);
        assertThat(outbox.count("true")).isZero();
    }

    private void confirmAndAppend() {
        PurchaseOrder order = order();
        order.confirm();
        append(order);
    }

    private void append(PurchaseOrder order) {
        writer.append(TestOutbox.event("orders", order.id()).build());
    }

    private static PurchaseOrder order() {
        return Objects.requireNonNull(entityManager().find(PurchaseOrder.class, 1L));
    }

    private static EntityManager entityManager() {
        return Objects.requireNonNull(EntityManagerFactoryUtils.getTransactionalEntityManager(entityManagerFactory));
    }

    private static String statusInTransaction() {
        return outbox.jdbc
                .sql("SELECT status FROM purchase_order")
                .query(String.class)
                .single();
    }

    private static void joinUninterruptibly(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JpaTransactionManager transactionManager() {
        JpaTransactionManager manager = new JpaTransactionManager(entityManagerFactory);
        manager.afterPropertiesSet();
        manager.setTransactionExecutionListeners(List.of(outbox.phase));
        return manager;
    }

    private static EntityManagerFactory entityManagerFactory() {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setPersistenceUnitName("orders");
        factory.setDataSource(outbox.dataSource);
        factory.setManagedTypes(PersistenceManagedTypes.of(PurchaseOrder.class.getName()));
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        return Objects.requireNonNull(factory.getObject());
    }
}
