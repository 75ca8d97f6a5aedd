package dev.outbox.jdbc;

import dev.outbox.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one statement found in the claimed lanes. */
final class Found {

    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Place> behind = new ArrayList<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private final Map<Integer, Long> highest = new HashMap<>();
    private int candidates;
    private @Nullable Snapshot snapshot;

    /** What may be published. */
    List<Delivery> deliveries() {
        return deliveries;
    }

    /** What must wait behind an earlier record of its aggregate. */
    List<Place> behind() {
        return behind;
    }

    /** What the statement could see; unknown when it found nothing. */
    @Nullable
    Snapshot snapshot() {
        return snapshot;
    }

    /** How many rows of a lane were returned. */
    int count(int lane) {
        return counts.getOrDefault(lane, 0);
    }

    /** The highest number of a lane that was returned, 0 when none was. */
    long highest(int lane) {
        return highest.getOrDefault(lane, 0L);
    }

    /** Whether the statement's limit on records or on bytes cut something off. */
    boolean cut(int records) {
        return candidates >= records || candidates > deliveries.size() + behind.size();
    }

    long bytes() {
        return deliveries.stream()
                .mapToLong(delivery -> delivery.event().payload().size())
                .sum();
    }

    void add(Delivery delivery) {
        deliveries.add(delivery);
        count(delivery.lane(), delivery.seq());
    }

    void addBehind(Place place) {
        behind.add(place);
        count(place.lane(), place.seq());
    }

    void candidates(int count) {
        candidates = count;
    }

    void snapshot(Snapshot seen) {
        snapshot = seen;
    }

    private void count(int lane, long seq) {
        counts.merge(lane, 1, Integer::sum);
        highest.merge(lane, seq, Math::max);
    }
}
