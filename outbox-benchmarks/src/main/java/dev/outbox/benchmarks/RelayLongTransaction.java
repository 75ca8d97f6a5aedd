package dev.outbox.benchmarks;

import dev.outbox.benchmarks.Comparison.Side;
import java.sql.Connection;
import java.sql.Statement;

/** What a transaction costs that somebody has open since before the backlog came. */
final class RelayLongTransaction implements Scenario {

    @Override
    public String name() {
        return "relay-long-transaction";
    }

    @Override
    public String description() {
        return "backlog of 500,000 with a transaction open since before it / without";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        try (OursRelay ours = OursRelay.open(bench.servers(), database)) {
            Backlog backlog = new Backlog(database);
            int events = bench.scaled(RelayDrain.EVENTS);
            Drains drains = new Drains(bench, database, events);
            Side without = drains.ofBacklog(backlog, ours::drain);
            Side with = () -> {
                database.empty();
                try (Connection connection = database.dataSource().getConnection()) {
                    begin(connection);
                    return drains.of(topic -> backlog.fill(events, topic), ours::drain)
                            .measure();
                }
            };
            return Summary.of(name(), bench.compare(name(), with, without));
        }
    }

    /** It could write and it looks at the database as it is now, so nothing that is dead from now on can be removed. */
    private static void begin(Connection connection) throws Exception {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_current_xact_id()");
        }
    }
}
