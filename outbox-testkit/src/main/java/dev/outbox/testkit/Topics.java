package dev.outbox.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.awaitility.Awaitility;

/** Creation of topics. */
final class Topics {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Topics() {}

    static String create(KafkaBroker broker, String prefix, int partitions, Map<String, String> configs) {
        String name = prefix + "-" + UUID.randomUUID();
        NewTopic topic = new NewTopic(name, partitions, broker.replicas()).configs(configs);
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) broker.bootstrapServers()))) {
            admin.createTopics(List.of(topic)).all().get();
            Awaitility.await("leaders of topic " + name)
                    .atMost(LIMIT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> hasLeaders(admin, name, partitions));
        } catch (ExecutionException e) {
            throw new IllegalStateException("Could not create topic " + name, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while creating topic " + name, e);
        }
        return name;
    }

    private static boolean hasLeaders(Admin admin, String topic, int partitions)
            throws ExecutionException, InterruptedException {
        try {
            var known =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            return known != null
                    && known.partitions().size() == partitions
                    && known.partitions().stream().allMatch(partition -> partition.leader() != null);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }
}
