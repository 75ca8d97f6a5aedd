package dev.outbox.jdbc;

import dev.outbox.Delivery;
import dev.outbox.Outcome;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records that a claim has handed out and that are not written down. The database can't tell them from fresh ones.
 *
 * <p>Used by the reading thread, but for {@link #recorded}, which takes effect with the next {@link #settle}: what is
 * written down while a read is under way must not count as settled for that read.
 */
final class Outstanding {

    private final Set<Long> seqs = new HashSet<>();
    private final Map<Integer, Integer> lanes = new HashMap<>();
    private final Map<Long, Integer> aggregates = new HashMap<>();
    private final Queue<List<Outcome>> recorded = new ConcurrentLinkedQueue<>();

    /** Tells whether it was not outstanding before. */
    boolean add(Delivery delivery) {
        if (!seqs.add(delivery.seq())) {
            return false;
        }
        lanes.merge(delivery.lane(), 1, Integer::sum);
        aggregates.merge(delivery.aggregateHash(), 1, Integer::sum);
        return true;
    }

    /** Any thread. */
    void recorded(List<Outcome> outcomes) {
        recorded.add(outcomes);
    }

    void settle() {
        for (List<Outcome> outcomes = recorded.poll(); outcomes != null; outcomes = recorded.poll()) {
            outcomes.forEach(outcome -> remove(outcome.delivery()));
        }
    }

    private void remove(Delivery delivery) {
        if (seqs.remove(delivery.seq())) {
            lanes.computeIfPresent(delivery.lane(), (lane, count) -> count == 1 ? null : count - 1);
            aggregates.computeIfPresent(delivery.aggregateHash(), (hash, count) -> count == 1 ? null : count - 1);
        }
    }

    int ofLane(int lane) {
        return lanes.getOrDefault(lane, 0);
    }

    Collection<Long> seqs() {
        return seqs;
    }

    Collection<Long> aggregates() {
        return aggregates.keySet();
    }
}
