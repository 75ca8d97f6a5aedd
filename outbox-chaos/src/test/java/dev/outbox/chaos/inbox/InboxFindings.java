package dev.outbox.chaos.inbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the check found.
 *
 * @param events that were sent
 * @param duplicates records that repeat an earlier one
 * @param doubled events with two effects, with two dead letters, or with both
 * @param missing events with neither effect nor dead letter
 * @param ahead records that a group's committed offset had passed while they had neither
 * @param overtaken events whose first effect came after that of a later event of their aggregate
 * @param misjudged good events that were dead-lettered, poison with an effect, effects of nothing
 */
record InboxFindings(
        long events,
        long duplicates,
        List<String> doubled,
        List<String> missing,
        List<String> ahead,
        List<String> overtaken,
        List<String> misjudged) {

    private static final int EXAMPLES = 10;

    InboxFindings {
        doubled = List.copyOf(doubled);
        missing = List.copyOf(missing);
        ahead = List.copyOf(ahead);
        overtaken = List.copyOf(overtaken);
        misjudged = List.copyOf(misjudged);
    }

    /**
     * @param consumers that consumed all of it
     * @param sent every record
     * @param effects of all consumers
     * @param deadLetters of all consumers
     * @param ahead what {@link OffsetSampler} has seen
     */
    static InboxFindings of(
            Collection<String> consumers,
            List<SentRecord> sent,
            List<EffectRow> effects,
            List<DeadLetter> deadLetters,
            List<String> ahead) {
        List<ConsumerCheck> checks = consumers.stream()
                .map(consumer -> ConsumerCheck.of(consumer, sent, effects, deadLetters))
                .toList();
        long duplicates = sent.stream().filter(SentRecord::repeat).count();
        return new InboxFindings(
                sent.size() - duplicates,
                duplicates,
                checks.stream().flatMap(check -> check.doubled().stream()).toList(),
                checks.stream().flatMap(check -> check.missing().stream()).toList(),
                ahead,
                checks.stream().flatMap(check -> check.overtaken().stream()).toList(),
                checks.stream().flatMap(check -> check.misjudged().stream()).toList());
    }

    boolean isClean() {
        return Stream.of(doubled, missing, ahead, overtaken, misjudged).allMatch(List::isEmpty);
    }

    String summary(int faults) {
        return "inbox-chaos: events=%d duplicates=%d faults=%d double=%d missing=%d offset-ahead=%d overtaken=%d"
                .formatted(events, duplicates, faults, doubled.size(), missing.size(), ahead.size(), overtaken.size());
    }

    /** What is wrong, with a few examples of each kind. */
    String report() {
        List<String> lines = new ArrayList<>();
        add(lines, "double", doubled);
        add(lines, "missing", missing);
        add(lines, "offset ahead of the database", ahead);
        add(lines, "overtaken", overtaken);
        add(lines, "misjudged", misjudged);
        return String.join("\n", lines);
    }

    private static void add(List<String> lines, String kind, List<String> found) {
        lines.add(kind + ": " + found.size());
        found.stream().limit(EXAMPLES).forEach(example -> lines.add("  " + example));
    }
}
