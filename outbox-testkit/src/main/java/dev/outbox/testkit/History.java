package dev.outbox.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What became of committed events on the topic: was each published, nothing else, and in order?
 *
 * <p>Order is judged by the first delivery of each event, by offset within the partition. Repeats are counted and no
 * fault.
 *
 * @param committed how many events were committed
 * @param published how many of those are on the topic
 * @param lost committed events that are not on the topic
 * @param phantom records of events that were never committed, or without an event id
 * @param overtaken events that a later event of their aggregate was delivered before
 * @param misplaced events delivered under another aggregate, or in another partition, than the first of their
 *     aggregate, so that their order means nothing
 * @param repeats records of committed events after the first of each
 */
public record History(
        int committed,
        int published,
        List<String> lost,
        List<String> phantom,
        List<String> overtaken,
        List<String> misplaced,
        int repeats) {

    private static final int EXAMPLES = 10;

    public History {
        lost = List.copyOf(lost);
        phantom = List.copyOf(phantom);
        overtaken = List.copyOf(overtaken);
        misplaced = List.copyOf(misplaced);
    }

    /**
     * Compares committed events with the records of a topic.
     *
     * @param committed the events, in any order
     * @param records the records, in any order
     * @param eventId finds the event id in a record; null if there is none
     * @param aggregate finds the aggregate in a record; null if there is none
     * @throws IllegalArgumentException if two committed events have the same id, or the same place in an aggregate
     */
    public static History of(
            Collection<CommittedEvent> committed,
            Collection<ConsumerRecord<byte[], byte[]>> records,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable String> eventId,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable String> aggregate) {
        return new HistoryCheck(committed, eventId, aggregate).check(records);
    }

    /** Returns whether nothing was lost, invented, overtaken or misplaced. */
    public boolean isClean() {
        return Stream.of(lost, phantom, overtaken, misplaced).allMatch(List::isEmpty);
    }

    /** Returns the counts in one line; {@code misplaced} is there only when it is not zero. */
    public String summary() {
        return "history: committed=%d published=%d lost=%d phantom=%d overtaken=%d repeats=%d%s"
                .formatted(
                        committed,
                        published,
                        lost.size(),
                        phantom.size(),
                        overtaken.size(),
                        repeats,
                        misplaced.isEmpty() ? "" : " misplaced=" + misplaced.size());
    }

    /** Returns the summary and up to ten examples of each kind of fault. */
    public String report() {
        List<String> lines = new ArrayList<>(List.of(summary()));
        addExamples(lines, "lost", lost);
        addExamples(lines, "phantom", phantom);
        addExamples(lines, "overtaken", overtaken);
        addExamples(lines, "misplaced", misplaced);
        return String.join("\n", lines);
    }

    /**
     * Returns this history if it is clean.
     *
     * @throws AssertionError with the report if it is not
     */
    public History assertClean() {
        if (!isClean()) {
            throw new AssertionError(report());
        }
        return this;
    }

    @Override
    public String toString() {
        return report();
    }

    private static void addExamples(List<String> lines, String kind, List<String> faults) {
        faults.stream().limit(EXAMPLES).map(fault -> "  " + kind + ": " + fault).forEach(lines::add);
        if (faults.size() > EXAMPLES) {
            lines.add("  %s: … and %d more".formatted(kind, faults.size() - EXAMPLES));
        }
    }
}
