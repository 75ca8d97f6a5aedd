package dev.outbox.chaos.inbox;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every record that was sent, by partition and offset. Thread-safe. */
final class SentRecords {

    private final List<List<SentRecord>> partitions;

    SentRecords(int partitions) {
        this.partitions = Stream.generate(() -> (List<SentRecord>) new ArrayList<SentRecord>())
                .limit(partitions)
                .toList();
    }

    int partitions() {
        return partitions.size();
    }

    synchronized void add(SentRecord record) {
        List<SentRecord> partition = partitions.get(record.partition());
        if (record.offset() != partition.size()) {
            throw new IllegalArgumentException(record + " is not the next one, " + partition.size());
        }
        partition.add(record);
    }

    /** The offset that the next record of a partition will have. */
    synchronized long end(int partition) {
        return partitions.get(partition).size();
    }

    /** The records of a partition from one offset up to another one, which is not included. */
    synchronized List<SentRecord> between(int partition, long from, long to) {
        return List.copyOf(partitions.get(partition).subList((int) from, (int) to));
    }

    List<SentRecord> all() {
        return IntStream.range(0, partitions())
                .mapToObj(partition -> between(partition, 0, end(partition)))
                .flatMap(List::stream)
                .toList();
    }
}
