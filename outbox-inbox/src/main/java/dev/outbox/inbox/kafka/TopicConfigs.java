package dev.outbox.inbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the broker how long topics keep their records. */
final class TopicConfigs {

    private static final Logger LOG = LoggerFactory.getLogger(TopicConfigs.class);

    private final Map<String, Object> connection;
    private final List<Subscription> subscriptions;

    /**
     * @param connection addresses and security
     */
    TopicConfigs(Map<String, ?> connection, List<Subscription> subscriptions) {
        this.connection = new HashMap<>(connection);
        this.connection.put(CommonClientConfigs.CLIENT_ID_CONFIG, "inbox-retention-check");
        this.subscriptions = List.copyOf(subscriptions);
    }

    /**
     * Asks once.
     *
     * @param limit longest wait
     * @param known topics that need no answer any more
     */
    Answer ask(Duration limit, Set<String> known) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Map<String, Object> config = new HashMap<>(connection);
        int timeout = Math.toIntExact(limit.toMillis());
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeout);
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeout);
        try (Admin admin = Admin.create(config)) {
            return describe(admin, topics(admin, known, deadline), deadline);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.debug("The broker does not tell its topics", e);
            return new Answer(Set.of(), Set.of(), false);
        }
    }

    private Set<String> topics(Admin admin, Set<String> known, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        boolean patterns = subscriptions.stream().anyMatch(subscription -> subscription.pattern() != null);
        Set<String> present = patterns ? get(admin.listTopics().names(), deadline) : Set.of();
        Set<String> topics = new HashSet<>();
        subscriptions.forEach(subscription -> topics.addAll(subscription.among(present)));
        topics.removeAll(known);
        return topics;
    }

    private static Answer describe(Admin admin, Set<String> topics, long deadline) throws InterruptedException {
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        Set<TopicRetention> retentions = new HashSet<>();
        Set<String> forbidden = new HashSet<>();
        boolean complete = true;
        for (Map.Entry<ConfigResource, KafkaFuture<Config>> topic :
                admin.describeConfigs(resources).values().entrySet()) {
            String name = topic.getKey().name();
            try {
                retentions.add(TopicRetention.of(name, get(topic.getValue(), deadline)));
            } catch (ExecutionException e) {
                boolean denied = e.getCause() instanceof AuthorizationException;
                complete &= denied;
                if (denied) {
                    forbidden.add(name);
                }
                LOG.debug("The broker does not tell how long topic {} keeps its records", name, e);
            } catch (TimeoutException e) {
                complete = false;
            }
        }
        return new Answer(retentions, forbidden, complete);
    }

    private static <T> T get(KafkaFuture<T> future, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /**
     * What the broker said.
     *
     * @param retentions of the topics that it told
     * @param forbidden topics that it does not tell this user
     * @param complete whether there is nothing left to ask
     */
    record Answer(Set<TopicRetention> retentions, Set<String> forbidden, boolean complete) {}
}
