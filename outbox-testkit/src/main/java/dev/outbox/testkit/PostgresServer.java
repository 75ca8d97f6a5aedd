package dev.outbox.testkit;

/**
 * A real PostgreSQL server for tests.
 *
 * <p>The shared server is an embedded one, or a container when the system property {@code outbox.test.servers} or the
 * environment variable {@code OUTBOX_TEST_SERVERS} says {@code testcontainers}. Its settings are
 * {@link PostgresOptions#fast()}.
 */
public interface PostgresServer {

    /** Returns the server that all tests of this JVM share; started by the first call, stopped with the JVM. */
    static PostgresServer shared() {
        return SharedServers.postgres();
    }

    /**
     * Starts a server of its own, with its own data directory, which the test may stop and start. Always an embedded
     * one, because a container does not keep its port over a restart.
     */
    static RestartablePostgres start(PostgresOptions options) {
        return RestartablePostgres.initialise(options);
    }

    /** Creates an empty database with a unique name. It lives as long as the server. */
    TestDatabase createDatabase();

    /**
     * Terminates every backend that is connected to a database, as an administrator would, and returns their number.
     *
     * @param database name of the database
     */
    int terminateBackends(String database);
}
