package dev.outbox.inbox;

/**
 * Where a record stands in Kafka.
 *
 * @param topic name of the topic
 * @param partition number of the partition, from 0
 * @param offset offset in the partition, from 0
 */
public record RecordPosition(String topic, int partition, long offset) {

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
