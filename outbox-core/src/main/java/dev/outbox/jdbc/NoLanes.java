package dev.outbox.jdbc;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A claim that found nothing. */
final class NoLanes implements HeldLanes {

    @Override
    public List<Lane> lanes() {
        return List.of();
    }

    @Override
    public Set<String> pausedTopics() {
        return Set.of();
    }

    @Override
    public List<Lane> extend(int lanes) {
        return List.of();
    }

    @Override
    public boolean isHeld() {
        return false;
    }

    @Override
    public <T> T read(Supplier<T> query) {
        throw new IllegalStateException("nothing is held");
    }

    @Override
    public <T> T write(Supplier<T> writes) {
        throw new IllegalStateException("nothing is held");
    }

    @Override
    public void release(Map<Integer, Long> floors) {
        // Nothing is held.
    }
}
