package dev.outbox.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** One pass over the records of a topic that collects what a {@link History} tells. */
final class HistoryCheck {

    private final Function<ConsumerRecord<byte[], byte[]>, @Nullable String> eventIdOf;
    private final Function<ConsumerRecord<byte[], byte[]>, @Nullable String> aggregateOf;
    private final Map<String, CommittedEvent> committed = new LinkedHashMap<>();
    private final Map<String, ConsumerRecord<byte[], byte[]>> first = new HashMap<>();
    private final Map<String, TopicPartition> homes = new HashMap<>();
    private final Map<String, CommittedEvent> latest = new HashMap<>();
    private final Map<String, CommittedEvent> overtakers = new LinkedHashMap<>();
    private final List<String> phantom = new ArrayList<>();
    private final List<String> misplaced = new ArrayList<>();
    private int repeats;

    HistoryCheck(
            Collection<CommittedEvent> events,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable String> eventIdOf,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable String> aggregateOf) {
        this.eventIdOf = eventIdOf;
        this.aggregateOf = aggregateOf;
        Set<Map.Entry<String, Long>> places = new HashSet<>();
        for (CommittedEvent event : events) {
            if (committed.put(event.eventId(), event) != null) {
                throw new IllegalArgumentException("Two committed events have the id " + event.eventId());
            }
            if (!places.add(Map.entry(event.aggregate(), event.order()))) {
                throw new IllegalArgumentException("Two committed events have the same place: " + describe(event));
            }
        }
    }

    History check(Collection<ConsumerRecord<byte[], byte[]>> records) {
        records.stream()
                .sorted(Comparator.<ConsumerRecord<byte[], byte[]>, String>comparing(ConsumerRecord::topic)
                        .thenComparingInt(ConsumerRecord::partition)
                        .thenComparingLong(ConsumerRecord::offset))
                .forEach(this::deliver);
        committed.values().forEach(this::findOvertakerOfUndelivered);
        return new History(
                committed.size(),
                first.size(),
                committed.values().stream()
                        .filter(event -> !first.containsKey(event.eventId()))
                        .map(HistoryCheck::describe)
                        .toList(),
                phantom,
                overtakers.entrySet().stream()
                        .map(passed -> describeOvertaken(passed.getKey(), passed.getValue()))
                        .toList(),
                misplaced,
                repeats);
    }

    private void deliver(ConsumerRecord<byte[], byte[]> record) {
        String id = eventIdOf.apply(record);
        CommittedEvent event = id == null ? null : committed.get(id);
        if (event == null) {
            phantom.add((id == null ? "a record without an event id" : "event " + id) + at(record));
        } else if (first.putIfAbsent(event.eventId(), record) != null) {
            repeats++;
        } else {
            checkPlace(event, record);
            checkOrder(event);
        }
    }

    private void checkPlace(CommittedEvent event, ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        TopicPartition home = homes.computeIfAbsent(event.aggregate(), aggregate -> partition);
        String aggregate = aggregateOf.apply(record);
        if (!event.aggregate().equals(aggregate)) {
            misplaced.add("%s, delivered under aggregate %s%s".formatted(describe(event), aggregate, at(record)));
        } else if (!home.equals(partition)) {
            misplaced.add(
                    "%s, delivered%s though its aggregate began in %s".formatted(describe(event), at(record), home));
        }
    }

    private void checkOrder(CommittedEvent event) {
        CommittedEvent ahead = latest.get(event.aggregate());
        if (ahead == null || ahead.order() < event.order()) {
            latest.put(event.aggregate(), event);
        } else {
            overtakers.put(event.eventId(), ahead);
        }
    }

    private void findOvertakerOfUndelivered(CommittedEvent event) {
        CommittedEvent ahead = latest.get(event.aggregate());
        if (!first.containsKey(event.eventId()) && ahead != null && ahead.order() > event.order()) {
            overtakers.put(event.eventId(), ahead);
        }
    }

    private String describeOvertaken(String eventId, CommittedEvent overtaker) {
        CommittedEvent event = committed.get(eventId);
        ConsumerRecord<byte[], byte[]> delivery = first.get(eventId);
        ConsumerRecord<byte[], byte[]> earlier = first.get(overtaker.eventId());
        return "%s, %s, came after event %s (order %d)%s"
                .formatted(
                        event == null ? eventId : describe(event),
                        delivery == null ? "never delivered" : "delivered" + at(delivery),
                        overtaker.eventId(),
                        overtaker.order(),
                        earlier == null ? "" : at(earlier));
    }

    private static String describe(CommittedEvent event) {
        return "event %s of aggregate %s (order %d)".formatted(event.eventId(), event.aggregate(), event.order());
    }

    private static String at(ConsumerRecord<byte[], byte[]> record) {
        return " at %s-%d offset %d".formatted(record.topic(), record.partition(), record.offset());
    }
}
