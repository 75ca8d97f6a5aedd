package dev.outbox.chaos;

import dev.outbox.testkit.KafkaCluster;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;

/**
 * A database server and a cluster of brokers in processes of their own.
 *
 * @param postgres the database server
 * @param kafka three brokers, of which two must have a record
 */
record Servers(RestartablePostgres postgres, KafkaCluster kafka) {

    /** Returns the servers of this JVM, started by the first call, stopped with the JVM. Whoever breaks them heals them. */
    static Servers shared() {
        return Shared.SERVERS;
    }

    private static final class Shared {
        static final Servers SERVERS = new Servers(PostgresServer.start(PostgresOptions.fast()), KafkaCluster.start());
    }
}
