package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.DecisionResult;
import java.util.ArrayList;
import java.util.List;

/** Counts what a decision does, letter by letter. Not thread-safe. */
final class Tally {

    private final List<Long> changed = new ArrayList<>();
    private long failed;
    private long passedOver;

    void changed(long id) {
        changed.add(id);
    }

    void failed() {
        failed++;
    }

    void passedOver() {
        passedOver++;
    }

    boolean hasChanged(long id) {
        return changed.contains(id);
    }

    DecisionResult result() {
        return new DecisionResult(
                changed.size(), failed, passedOver, changed.stream().sorted().toList());
    }
}
