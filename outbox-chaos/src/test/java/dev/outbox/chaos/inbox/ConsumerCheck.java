package dev.outbox.chaos.inbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares what was sent with what became of it at one consumer. */
final class ConsumerCheck {

    private final String consumer;
    private final List<String> doubled = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> overtaken = new ArrayList<>();
    private final List<String> misjudged = new ArrayList<>();

    private ConsumerCheck(String consumer) {
        this.consumer = consumer;
    }

    /** Effects and dead letters of other consumers are left out. */
    static ConsumerCheck of(
            String consumer, List<SentRecord> sent, List<EffectRow> effects, List<DeadLetter> deadLetters) {
        ConsumerCheck check = new ConsumerCheck(consumer);
        List<EffectRow> own = effects.stream()
                .filter(effect -> effect.consumer().equals(consumer))
                .toList();
        List<DeadLetter> ownLetters = deadLetters.stream()
                .filter(letter -> letter.consumer().equals(consumer))
                .toList();
        check.outcomes(sent, own, ownLetters);
        check.order(own);
        return check;
    }

    List<String> doubled() {
        return doubled;
    }

    List<String> missing() {
        return missing;
    }

    List<String> overtaken() {
        return overtaken;
    }

    List<String> misjudged() {
        return misjudged;
    }

    private void outcomes(List<SentRecord> sent, List<EffectRow> effects, List<DeadLetter> deadLetters) {
        Map<String, Long> applied =
                count(effects.stream().map(EffectRow::eventId).toList());
        Map<String, Long> given =
                count(deadLetters.stream().map(ConsumerCheck::key).toList());
        Set<String> known = new HashSet<>();
        for (SentRecord record : sent) {
            if (known.add(key(record))) {
                outcome(record, applied.getOrDefault(key(record), 0L), given.getOrDefault(key(record), 0L));
            }
        }
        effects.stream()
                .filter(effect -> !known.contains(effect.eventId()))
                .forEach(effect -> misjudged.add("%s: effect of nothing, %s".formatted(consumer, effect)));
    }

    private void outcome(SentRecord record, long effects, long deadLetters) {
        boolean poison = record.content().isPoison();
        if (effects + deadLetters == 0) {
            missing.add("%s: %s".formatted(consumer, record));
        }
        // Without an id, a record may be dead-lettered again.
        if (effects + (record.content().hasId() ? deadLetters : 0) > 1) {
            doubled.add("%s: %d effects and %d dead letters of %s".formatted(consumer, effects, deadLetters, record));
        }
        if (poison ? effects > 0 : deadLetters > 0) {
            misjudged.add("%s: %d effects and %d dead letters of %s".formatted(consumer, effects, deadLetters, record));
        }
    }

    private void order(List<EffectRow> effects) {
        Set<String> seen = new HashSet<>();
        Map<String, Long> latest = new HashMap<>();
        for (EffectRow effect : effects) {
            if (seen.add(effect.eventId())) {
                long version = latest.merge(effect.aggregate(), effect.version(), Math::max);
                if (version > effect.version()) {
                    overtaken.add("%s: version %d before %s".formatted(consumer, version, effect));
                }
            }
        }
    }

    private static Map<String, Long> count(List<String> keys) {
        return keys.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static String key(SentRecord record) {
        return key(record.eventId() == null ? "" : record.eventId(), record.partition(), record.offset());
    }

    private static String key(DeadLetter letter) {
        return key(letter.eventId() == null ? "" : letter.eventId(), letter.partition(), letter.offset());
    }

    private static String key(String eventId, int partition, long offset) {
        return eventId.isEmpty() ? partition + "@" + offset : eventId;
    }
}
