package dev.outbox.chaos;

import dev.outbox.testkit.KafkaCluster;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import java.util.Map;

/**
 * A database server and a cluster of brokers in processes of their own.
 *
 * @param postgres the database server
 * @param kafka three brokers, of which two must have a record
 */
public record Servers(RestartablePostgres postgres, KafkaCluster kafka) {

    /** Lets consumers be missed after less than the usual 6 s. */
    private static final Map<String, String> SETTINGS = Map.of("group.min.session.timeout.ms", "1000");

    /** Returns the servers of this JVM, started by the first call, stopped with the JVM. Whoever breaks them heals them. */
    public static Servers shared() {
        return Shared.SERVERS;
    }

    private static final class Shared {
        static final Servers SERVERS =
                new Servers(PostgresServer.start(PostgresOptions.fast()), KafkaCluster.start(SETTINGS));
    }
}
