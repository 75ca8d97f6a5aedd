package dev.outbox.chaos.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks all the time whether a committed offset is ahead of the database: first it reads the offsets of the groups, then
 * what the database has. So whatever an offset had passed must be there, and a moment's delay can only hide an error.
 */
final class OffsetSampler implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OffsetSampler.class);

    private static final Duration PERIOD = Duration.ofMillis(50);

    private final List<String> consumers;
    private final SentRecords sent;
    private final GroupOffsets offsets;
    private final Effects effects;
    private final DeadLetters deadLetters;
    private final Map<String, long[]> checked = new HashMap<>();
    private final List<String> ahead = new ArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "offset-sampler");
    private int samples;

    OffsetSampler(
            List<String> consumers, SentRecords sent, GroupOffsets offsets, Effects effects, DeadLetters deadLetters) {
        this.consumers = consumers;
        this.sent = sent;
        this.offsets = offsets;
        this.effects = effects;
        this.deadLetters = deadLetters;
    }

    void start() {
        thread.start();
    }

    /** Looks once more, and no more then. */
    void stop() {
        close();
        sample();
    }

    synchronized int samples() {
        return samples;
    }

    /** The records that an offset had passed although nothing had become of them. */
    synchronized List<String> ahead() {
        return List.copyOf(ahead);
    }

    private void run() {
        try {
            do {
                try {
                    sample();
                } catch (RuntimeException e) {
                    // Servers are down now and then; the next sample looks at the same records.
                    log.debug("No sample", e);
                }
            } while (!stopping.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void sample() {
        Map<String, long[]> committed = new HashMap<>();
        consumers.forEach(consumer -> committed.put(consumer, offsets.committed(consumer)));
        committed.forEach(this::compare);
        samples++;
    }

    private void compare(String consumer, long[] committed) {
        long[] from = checked.computeIfAbsent(consumer, unseen -> new long[sent.partitions()]);
        List<SentRecord> passed = new ArrayList<>();
        for (int partition = 0; partition < committed.length; partition++) {
            if (committed[partition] > from[partition]) {
                passed.addAll(sent.between(partition, from[partition], committed[partition]));
            }
        }
        unsettled(consumer, passed).forEach(record -> ahead.add("%s: %s".formatted(consumer, record)));
        for (int partition = 0; partition < committed.length; partition++) {
            from[partition] = Math.max(from[partition], committed[partition]);
        }
    }

    private List<SentRecord> unsettled(String consumer, List<SentRecord> records) {
        if (records.isEmpty()) {
            return records;
        }
        Set<String> applied = effects.applied(
                consumer,
                records.stream()
                        .map(SentRecord::eventId)
                        .filter(id -> id != null)
                        .toList());
        List<SentRecord> rest = records.stream()
                .filter(record -> record.eventId() == null || !applied.contains(record.eventId()))
                .toList();
        if (rest.isEmpty()) {
            return rest;
        }
        List<DeadLetter> letters = deadLetters.all().stream()
                .filter(letter -> letter.consumer().equals(consumer))
                .toList();
        Set<Object> given = letters.stream()
                .map(letter ->
                        letter.eventId() == null ? position(letter.partition(), letter.offset()) : letter.eventId())
                .collect(Collectors.toSet());
        return rest.stream()
                .filter(record -> !given.contains(
                        record.eventId() == null ? position(record.partition(), record.offset()) : record.eventId()))
                .toList();
    }

    private static Object position(int partition, long offset) {
        return List.of(partition, offset);
    }

    @Override
    public void close() {
        stopping.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
