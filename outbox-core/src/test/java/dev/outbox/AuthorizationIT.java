package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.kafka.KafkaEventPublisher;
import dev.outbox.testkit.KafkaProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A broker that refuses what is not granted to the user app; whoever connects directly may do everything. */
class AuthorizationIT {

    private static final int RECORDS = 100;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"app\" password=\"%s\"%s;";

    private static KafkaProcess kafka;

    private final TestOutbox outbox = new TestOutbox();

    @BeforeAll
    static void start() {
        kafka = KafkaProcess.start(Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users",
                "User:ANONYMOUS",
                "listener.security.protocol.map",
                "CLIENT:PLAINTEXT,PROXIED:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms",
                "PLAIN",
                "listener.name.proxied.plain.sasl.jaas.config",
                LOGIN.formatted("right", " user_app=\"right\"")));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void deniedWritesWaitAndArriveOnceTheyAreGranted() throws Exception {
        String topic = kafka.createTopic("orders", 3);
        String other = kafka.createTopic("other", 1);
        grant(other, AclOperation.WRITE);
        append(topic);
        outbox.startRelay(TestOutbox.settings(64, 50), outbox.store(), publisher("right"));
        outbox.append(TestOutbox.event(other, "1").build());

        await().atMost(LIMIT).until(() -> outbox.count("topic = '" + other + "' AND published_at IS NOT NULL") == 1);
        await().atMost(LIMIT).until(() -> outbox.count("last_error LIKE '%Authorization%'") > 0);
        assertThat(outbox.count("topic = '" + topic + "' AND published_at IS NOT NULL"))
                .isZero();

        grant(topic, AclOperation.WRITE);
        assertAllArrive();
    }

    @Test
    void aTopicThatMayBeSeenAndNotWrittenIsTriedWithOneRecordAtATime() throws Exception {
        String topic = kafka.createTopic("orders", 1);
        String other = kafka.createTopic("other", 1);
        grant(other, AclOperation.WRITE);
        grant(topic, AclOperation.DESCRIBE);
        append(topic);
        outbox.startRelay(TestOutbox.settings(64, 50), outbox.store(), publisher("right"));

        await().atMost(LIMIT).until(() -> outbox.count("last_error LIKE '%TopicAuthorization%'") >= RECORDS / 2);
        assertThat(outbox.count("attempts > 0 OR parked_at IS NOT NULL")).isZero();
        grant(topic, AclOperation.WRITE);
        assertAllArrive();
    }

    @Test
    void aUserWhoIsNotKnownWaitsToo() {
        String topic = kafka.createTopic("orders", 1);
        append(topic);
        outbox.startRelay(TestOutbox.settings(64, 50), outbox.store(), publisher("wrong"));
        await().atMost(LIMIT).until(() -> outbox.count("last_error IS NOT NULL") == RECORDS);
        assertThat(outbox.count("attempts > 0 OR parked_at IS NOT NULL")).isZero();
    }

    private void append(String topic) {
        for (int i = 0; i < RECORDS; i++) {
            outbox.append(TestOutbox.event(topic, "a" + i).build());
        }
    }

    private void assertAllArrive() {
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        assertThat(outbox.count("attempts > 0 OR parked_at IS NOT NULL")).isZero();
    }

    private KafkaEventPublisher publisher(String password) {
        return outbox.publisher(Map.of(
                "bootstrap.servers",
                kafka.proxiedBootstrapServers(),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                LOGIN.formatted(password, ""),
                "max.block.ms",
                1_000));
    }

    private static void grant(String topic, AclOperation operation) throws ExecutionException, InterruptedException {
        var entry = new AccessControlEntry("User:app", "*", operation, AclPermissionType.ALLOW);
        var resource = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createAcls(List.of(new AclBinding(resource, entry))).all().get();
        }
    }
}
