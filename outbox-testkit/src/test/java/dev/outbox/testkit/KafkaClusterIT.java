package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KafkaClusterIT {

    @Test
    void aClusterOutlivesTheLossOfALeader() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.start()) {
            String topic = cluster.createTopic("replicated", 1);
            TextClient.send(cluster.bootstrapServers(), topic, "before");
            KafkaProcess leader = cluster.leaderOf(topic, 0);

            leader.kill();
            TextClient.sendWithin(TextClient.LIMIT, cluster.bootstrapServers(), topic, "without it");
            assertThat(cluster.leaderOf(topic, 0)).isNotSameAs(leader);

            assertThat(TextClient.values(cluster, topic)).containsExactly("before", "without it");
        }
    }
}
