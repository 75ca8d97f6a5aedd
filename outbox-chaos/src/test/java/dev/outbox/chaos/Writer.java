package dev.outbox.chaos;

import dev.outbox.Event;
import dev.outbox.OutboxWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes one transaction after the other: small ones and bulk ones, some that stay open for long, one in ten rolled back.
 * A failure of the database is no matter to it: what has committed stands in the ledger.
 */
final class Writer {

    private static final Logger log = LoggerFactory.getLogger(Writer.class);

    private static final int HOT_AGGREGATES = 4;
    private static final double HOT = 0.3;
    private static final double ROLLED_BACK = 0.1;
    private static final double BULK = 0.004;
    private static final double LATE = 0.02;
    private static final double LARGE = 0.01;
    private static final int LATE_MILLIS = 2_000;
    private static final int PAUSE_AFTER_FAILURE_MILLIS = 200;

    private final OutboxWriter outbox;
    private final Ledger ledger;
    private final TransactionTemplate transaction;
    private final WriterSettings settings;
    private final Random random;

    Writer(
            OutboxWriter outbox,
            Ledger ledger,
            TransactionTemplate transaction,
            WriterSettings settings,
            Random random) {
        this.outbox = outbox;
        this.ledger = ledger;
        this.transaction = transaction;
        this.settings = settings;
        this.random = random;
    }

    /** Writes until all transactions are made or the latch is open. */
    void run(CountDownLatch stopping) {
        int left = settings.transactions() == 0 ? Integer.MAX_VALUE : settings.transactions();
        try {
            while (left-- > 0 && stopping.getCount() > 0) {
                long millis =
                        write(stopping) ? random.nextLong(settings.pause().toMillis() + 1) : PAUSE_AFTER_FAILURE_MILLIS;
                stopping.await(millis, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean write(CountDownLatch stopping) throws InterruptedException {
        boolean late = random.nextDouble() < LATE;
        boolean rolledBack = random.nextDouble() < ROLLED_BACK;
        List<String> aggregates = aggregates();
        try {
            transaction.executeWithoutResult(status -> {
                if (ledger.join()) {
                    ledger.write(append(aggregates), aggregates);
                }
                if (late) {
                    stayOpen(stopping);
                }
                if (rolledBack) {
                    status.setRollbackOnly();
                }
            });
            return true;
        } catch (RuntimeException e) {
            log.debug("A transaction failed", e);
            return false;
        }
    }

    /** In order, so that transactions which append one by one don't block each other in a circle. */
    private List<String> aggregates() {
        boolean bulk = random.nextDouble() < BULK;
        int events = bulk ? 100 + random.nextInt(300) : random.nextBoolean() ? 1 : 2 + random.nextInt(4);
        int spread = bulk && random.nextBoolean() ? 3 : settings.aggregates();
        int first = random.nextInt(settings.aggregates() - spread + 1);
        return Stream.generate(() -> bulk ? first + random.nextInt(spread) : any())
                .limit(events)
                .sorted()
                .map(number -> "a" + number)
                .toList();
    }

    private int any() {
        return random.nextInt(random.nextDouble() < HOT ? HOT_AGGREGATES : settings.aggregates());
    }

    private List<UUID> append(List<String> aggregates) {
        List<Event> events = aggregates.stream().map(this::event).toList();
        if (events.size() > 5 || random.nextBoolean()) {
            return outbox.appendAll(events);
        }
        List<UUID> ids = new ArrayList<>();
        events.forEach(event -> ids.add(outbox.append(event)));
        return ids;
    }

    private Event event(String aggregate) {
        int size = random.nextDouble() < LARGE ? 20_000 : 50 + random.nextInt(250);
        return Event.builder()
                .topic(settings.topic())
                .type("chaos.happened")
                .aggregate("chaos", aggregate)
                .payload("x".repeat(size).getBytes(StandardCharsets.US_ASCII), "text/plain")
                .build();
    }

    private void stayOpen(CountDownLatch stopping) {
        try {
            stopping.await(random.nextInt(LATE_MILLIS), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
