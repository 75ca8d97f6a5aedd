package dev.outbox.testkit;

/** The one server of each kind that a JVM has, started when first asked for. */
final class SharedServers {

    private SharedServers() {}

    static PostgresServer postgres() {
        return Postgres.SERVER;
    }

    static KafkaBroker kafka() {
        return Kafka.BROKER;
    }

    // A class of its own for each, so that asking for one does not start the other.
    private static final class Postgres {
        static final PostgresServer SERVER = switch (TestServers.selected()) {
            case EMBEDDED -> PostgresServer.start(PostgresOptions.fast());
            case TESTCONTAINERS -> ContainerPostgres.start(PostgresOptions.fast());
        };
    }

    private static final class Kafka {
        static final KafkaBroker BROKER = switch (TestServers.selected()) {
            case EMBEDDED -> EmbeddedKafka.start();
            case TESTCONTAINERS -> ContainerKafka.start();
        };
    }
}
