package dev.outbox.kafka;

import dev.outbox.AppendLimits;
import dev.outbox.Delivery;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import dev.outbox.TransactionalPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;

/**
 * Publishes each batch in a Kafka transaction, with a producer for each set of lanes, whose transactional id is the prefix,
 * a hyphen and the lanes.
 *
 * <p>Records that must not be sent now, or never, are reported before the transaction begins, all of them; of those that
 * fail within it only the first, because the client fails the others along with it. When the end of a commit is not known,
 * the batch counts as not published: it may come again as a whole, under the same event ids.
 */
public final class KafkaTransactionalPublisher implements TransactionalPublisher, AutoCloseable {

    private static final Duration PREPARATION = Duration.ofSeconds(1);

    private final KafkaEventPublisher publisher;
    private final LaneProducers producers;
    private final Duration sendLimit;
    private final long publishTimeout;

    /**
     * @param publisher whose settings, envelope and knowledge of topics and outages this shares; it is to be closed after
     *     this
     * @param transactionIdPrefix the same for all instances of a service, and no other one's
     * @throws IllegalArgumentException if the prefix is blank
     */
    public KafkaTransactionalPublisher(KafkaEventPublisher publisher, String transactionIdPrefix) {
        this(publisher, transactionIdPrefix, KafkaProducer::new);
    }

    KafkaTransactionalPublisher(
            KafkaEventPublisher publisher,
            String transactionIdPrefix,
            Function<Map<String, Object>, Producer<byte[], byte[]>> factory) {
        if (transactionIdPrefix.isBlank()) {
            throw new IllegalArgumentException("The prefix of transactional ids is blank");
        }
        this.publisher = publisher;
        this.producers = new LaneProducers(lanes ->
                factory.apply(ProducerSettings.transactional(publisher.settings(), transactionIdPrefix, lanes)));
        this.sendLimit = Duration.ofMillis(publisher.publishTimeout());
        // To prepare; to begin; to send and await; beyond it the last send; to commit or abort.
        this.publishTimeout = PREPARATION.toMillis()
                + publisher.publishTimeout()
                + 3 * ProducerSettings.maxBlock(publisher.settings());
    }

    @Override
    public List<Failed> publish(String lanes, List<Delivery> batch) throws InterruptedException {
        publisher.prepare(
                batch.stream().map(delivery -> delivery.event().topic()).collect(Collectors.toSet()));
        List<Failed> refused = new ArrayList<>();
        List<Transaction.Entry> entries = new ArrayList<>();
        for (Delivery delivery : batch) {
            admit(delivery, entries, refused);
        }
        if (!refused.isEmpty() || entries.isEmpty()) {
            undecided(entries);
            return refused;
        }
        return publishAdmitted(lanes, entries);
    }

    @Override
    public long publishTimeout() {
        return publishTimeout;
    }

    @Override
    public void close() {
        producers.close();
    }

    private void admit(Delivery delivery, List<Transaction.Entry> entries, List<Failed> refused) {
        String topic = delivery.event().topic();
        if (!AppendLimits.isLegalTopic(topic)) {
            refused.add(failed(delivery, Kind.PERMANENT, new InvalidTopicException(topic)));
            return;
        }
        ProducerRecord<byte[], byte[]> record;
        try {
            record = publisher.envelope().wrap(delivery);
        } catch (RuntimeException e) {
            refused.add(failed(delivery, publisher.classifier().classify(delivery.event(), e), e));
            return;
        }
        Pass pass = publisher.gates().enter(topic);
        if (pass == null) {
            refused.add(failed(delivery, Kind.UNAVAILABLE, publisher.gates().refusal(topic)));
        } else {
            entries.add(new Transaction.Entry(delivery, record, pass));
        }
    }

    private List<Failed> publishAdmitted(String lanes, List<Transaction.Entry> entries) throws InterruptedException {
        boolean told = false;
        try {
            Transaction.Problem problem = producers.inTransaction(lanes, new Transaction(entries, sendLimit));
            told = true;
            if (problem == null) {
                entries.forEach(entry -> publisher.gates().acknowledged(entry.pass()));
                return List.of();
            }
            return List.of(failed(entries, problem));
        } finally {
            if (!told) {
                undecided(entries);
            }
        }
    }

    private Failed failed(List<Transaction.Entry> entries, Transaction.Problem problem) {
        Transaction.Entry culprit = problem.entry();
        if (culprit == null) {
            undecided(entries);
            publisher.gates().suspect(problem.cause());
            return failed(entries.get(0).delivery(), Kind.UNAVAILABLE, problem.cause());
        }
        Kind kind = publisher.classifier().classify(culprit.delivery().event(), problem.cause());
        if (kind == Kind.UNAVAILABLE) {
            publisher.gates().failed(culprit.pass(), problem.cause());
        }
        undecided(entries);
        return failed(culprit.delivery(), kind, problem.cause());
    }

    private void undecided(List<Transaction.Entry> entries) {
        entries.forEach(entry -> publisher.gates().undecided(entry.pass()));
    }

    private static Failed failed(Delivery delivery, Kind kind, Exception cause) {
        return new Failed(delivery, new PublishFailure(kind, cause));
    }
}
