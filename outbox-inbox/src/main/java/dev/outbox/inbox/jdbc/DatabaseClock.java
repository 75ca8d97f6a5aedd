package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.postgresql.TransactionPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * The database's clock, for threads that have a transaction open on the inbox's {@code DataSource}. It is read once a
 * minute at most; in between the JVM's monotonic clock goes on from there. Thread-safe.
 */
public final class DatabaseClock implements InstantSource {

    private static final Duration LONGEST_USE = Duration.ofMinutes(1);
    private static final String NOW = "SELECT clock_timestamp()";

    private final CurrentTransaction transaction;
    private volatile @Nullable Reading last;

    /**
     * @param dataSource where the inbox's tables are
     * @param phase a listener that was added to the transaction manager
     */
    public DatabaseClock(DataSource dataSource, TransactionPhase phase) {
        this.transaction = new CurrentTransaction(dataSource, phase);
    }

    /**
     * @throws dev.outbox.postgresql.TransactionRequiredException if the database has to be asked and there is none
     * @throws InboxUnavailableException if the database does not answer
     */
    @Override
    public Instant instant() {
        Reading reading = last;
        if (reading == null || reading.age().compareTo(LONGEST_USE) >= 0) {
            reading = read();
            last = reading;
        }
        return reading.time().plus(reading.age());
    }

    private Reading read() {
        long before = System.nanoTime();
        try {
            return new Reading(
                    transaction
                            .client()
                            .sql(NOW)
                            .query(OffsetDateTime.class)
                            .single()
                            .toInstant(),
                    before);
        } catch (DataAccessException e) {
            throw new InboxUnavailableException("The database could not tell its time", e);
        }
    }

    private record Reading(Instant time, long nanoTime) {

        private Duration age() {
            return Duration.ofNanos(System.nanoTime() - nanoTime);
        }
    }
}
