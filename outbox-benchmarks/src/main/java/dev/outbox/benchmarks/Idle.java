package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What an instance costs that has nothing to do. */
final class Idle implements Scenario {

    private static final String NAME = "idle_instance";
    private static final String HEAP = "256m";
    private static final int SETTLING_MILLIS = 30_000;
    private static final int WATCHED_MILLIS = 120_000;

    private static final String LOG_SIZE = "SELECT size FROM pg_stat_file(pg_current_logfile())";

    private static final String LOGGED = """
            SELECT left(split_part(line, ': ', 3), 100) AS statement, count(*) AS times
            FROM regexp_split_to_table(pg_read_file(pg_current_logfile(), :from, :most), '\\n') AS line
            WHERE line LIKE '%1$s:LOG:  execute %%' OR line LIKE '%1$s:LOG:  statement: %%'
            GROUP BY 1
            ORDER BY 2 DESC
            """.formatted(NAME);

    private static final int LARGEST_LOG = 100_000_000;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String description() {
        return "statements a minute and processor time of an instance that has nothing to do, over two minutes";
    }

    @Override
    public Summary run(Bench bench) throws Exception {
        OutboxDatabase database = bench.servers().createDatabase();
        try (Instance instance = Instance.start(bench.servers(), database, NAME, Map.of(), HEAP)) {
            instance.awaitReady();
            pass(bench.scaled(SETTLING_MILLIS));
            logStatements(database);
            long logged = database.jdbc().sql(LOG_SIZE).query(Long.class).single();
            Duration processor = instance.processorTime();
            long start = System.nanoTime();
            pass(bench.scaled(WATCHED_MILLIS));
            double seconds = (System.nanoTime() - start) / 1e9;
            double used = instance.processorTime().minus(processor).toMillis() / 1e3;
            long statements = tellStatements(bench, database, logged);
            return Summary.of(name())
                    .with("statements", String.format(Locale.ROOT, "%.0f/min", statements * 60 / seconds))
                    .with("cpu", String.format(Locale.ROOT, "%.2f%%", 100 * used / seconds));
        }
    }

    /** Returns how many there were. */
    private static long tellStatements(Bench bench, OutboxDatabase database, long from) {
        List<Long> times = database.jdbc()
                .sql(LOGGED)
                .param("from", from)
                .param("most", LARGEST_LOG)
                .query((row, number) -> {
                    // A pool that tests a connection sends an empty statement.
                    bench.report().line("%4d times '%s'", row.getLong("times"), row.getString("statement"));
                    return row.getLong("times");
                })
                .list();
        return times.stream().mapToLong(Long::longValue).sum();
    }

    /** For all sessions at once, the pooled ones of the instance too. */
    private static void logStatements(OutboxDatabase database) {
        database.jdbc().sql("ALTER SYSTEM SET log_statement = 'all'").update();
        database.jdbc().sql("SELECT pg_reload_conf()").query(Boolean.class).single();
    }

    private static void pass(int millis) throws InterruptedException {
        new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    }
}
