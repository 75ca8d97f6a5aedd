package dev.outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Asks a real broker: for a topic the producer itself, which needs the answer; for the cluster a new connection. */
final class KafkaBrokerProbe implements BrokerProbe {

    private static final int ANSWER_LIMIT_MILLIS = 5_000;

    private final RenewableProducer producer;
    private final Map<String, Object> connection;
    private final int limitMillis;

    /** Lives for an outage: every new one logs its whole configuration. */
    private @Nullable Admin admin;

    KafkaBrokerProbe(RenewableProducer producer, Map<String, Object> settings) {
        this.producer = producer;
        this.limitMillis = Math.min(
                ANSWER_LIMIT_MILLIS, new ProducerConfig(settings).getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG));
        this.connection = new HashMap<>(settings);
        connection.keySet().retainAll(AdminClientConfig.configNames());
        connection.remove(AdminClientConfig.CLIENT_ID_CONFIG);
        connection.put(AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
        connection.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limitMillis);
        connection.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limitMillis);
    }

    @Override
    public void find(String topic) {
        producer.get().partitionsFor(topic);
    }

    @Override
    public synchronized void reach() {
        if (admin == null) {
            admin = Admin.create(connection);
        }
        askForBrokers(admin);
        close();
        producer.renew();
    }

    private void askForBrokers(Admin client) {
        try {
            client.describeCluster(new DescribeClusterOptions().timeoutMs(limitMillis))
                    .nodes()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }
}
