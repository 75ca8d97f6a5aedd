package dev.outbox.chaos;

import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What the check found.
 *
 * @param history committed events against the topic
 * @param earlyMarks events that the database called published before the broker had taken them, or that it never took
 * @param blamed records that cost attempts or were parked
 */
record Findings(History history, List<String> earlyMarks, List<String> blamed) {

    private static final int EXAMPLES = 10;

    Findings {
        earlyMarks = List.copyOf(earlyMarks);
        blamed = List.copyOf(blamed);
    }

    /**
     * @param committed the truth
     * @param records the whole topic, with the times at which the broker took them
     * @param publishedAt when each event was marked, in milliseconds
     */
    static Findings of(
            Collection<CommittedEvent> committed,
            List<ConsumerRecord<byte[], byte[]>> records,
            Map<String, Long> publishedAt,
            List<String> blamed) {
        History history = History.of(committed, records, TopicLog::eventId, TopicLog::aggregate);
        return new Findings(history, earlyMarks(records, publishedAt), blamed);
    }

    /** Both clocks are this machine's, and a mark's time is that of the beginning of its transaction. */
    private static List<String> earlyMarks(
            List<ConsumerRecord<byte[], byte[]>> records, Map<String, Long> publishedAt) {
        Map<String, Long> taken = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            String id = TopicLog.eventId(record);
            if (id != null) {
                taken.merge(id, record.timestamp(), Math::min);
            }
        }
        return publishedAt.entrySet().stream()
                .filter(mark -> taken.getOrDefault(mark.getKey(), Long.MAX_VALUE) > mark.getValue())
                .map(mark -> early(mark.getKey(), mark.getValue(), taken))
                .toList();
    }

    private static String early(String id, long marked, Map<String, Long> taken) {
        Long time = taken.get(id);
        return time == null
                ? "event %s marked, never on the topic".formatted(id)
                : "event %s marked %d ms before it was on the topic".formatted(id, time - marked);
    }

    boolean isClean() {
        return history.isClean() && earlyMarks.isEmpty() && blamed.isEmpty();
    }

    String summary(int faults) {
        return "chaos: events=%d faults=%d lost=%d phantom=%d overtaken=%d early-marks=%d repeats=%d"
                .formatted(
                        history.committed(),
                        faults,
                        history.lost().size(),
                        history.phantom().size(),
                        history.overtaken().size(),
                        earlyMarks.size(),
                        history.repeats());
    }

    /** What is wrong, with a few examples of each kind. */
    String report() {
        List<String> lines = new ArrayList<>(List.of(history.report()));
        lines.add("early marks: " + earlyMarks.size());
        examples(earlyMarks).forEach(lines::add);
        lines.add("records with attempts, or parked: " + blamed.size());
        examples(blamed).forEach(lines::add);
        return String.join("\n", lines);
    }

    private static Stream<String> examples(List<String> faults) {
        return faults.stream().limit(EXAMPLES).map(fault -> "  " + fault);
    }
}
