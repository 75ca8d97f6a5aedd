package dev.outbox.testkit;

import org.testcontainers.postgresql.PostgreSQLContainer;

/** A PostgreSQL server in a container; Testcontainers removes it after the JVM. */
final class ContainerPostgres implements PostgresServer {

    private static final String IMAGE = "postgres:17";

    private final TestDatabase administration;

    private ContainerPostgres(TestDatabase administration) {
        this.administration = administration;
    }

    @SuppressWarnings("resource") // the container lives as long as the JVM
    static ContainerPostgres start(PostgresOptions options) {
        var command = new StringBuilder("postgres");
        options.settings().forEach((name, value) -> command.append(" -c %s=%s".formatted(name, value)));
        var container = new PostgreSQLContainer(IMAGE).withCommand(command.toString());
        container.start();
        return new ContainerPostgres(new TestDatabase(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getDatabaseName(),
                container.getUsername(),
                container.getPassword()));
    }

    @Override
    public TestDatabase createDatabase() {
        return administration.createSibling();
    }

    @Override
    public int terminateBackends(String database) {
        return administration.terminateBackends(database);
    }
}
