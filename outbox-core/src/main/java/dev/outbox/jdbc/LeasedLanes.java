package dev.outbox.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Lanes held by leases. */
final class LeasedLanes implements HeldLanes {

    private final LeaseClaims claims;
    private final List<Lane> lanes;
    private final Set<String> pausedTopics;
    private volatile Map<Integer, Long> tokens;
    private volatile long renewedAt;
    private volatile boolean lost;

    /**
     * @param began a moment before the leases began, by {@code System.nanoTime()}
     */
    LeasedLanes(LeaseClaims claims, LaneQueries.Taken taken, Map<Integer, Long> tokens, long began) {
        this.claims = claims;
        this.lanes = new ArrayList<>(taken.lanes());
        this.pausedTopics = taken.paused();
        this.tokens = Map.copyOf(tokens);
        this.renewedAt = began;
    }

    @Override
    public List<Lane> lanes() {
        return lanes;
    }

    @Override
    public Set<String> pausedTopics() {
        return pausedTopics;
    }

    @Override
    public List<Lane> extend(int more) {
        Map<Integer, Long> all = new HashMap<>(tokens);
        LaneQueries.Taken taken = inTransaction(() -> {
            LaneQueries.Taken found = claims.queries().take(more, tokens.keySet());
            all.putAll(claims.leases().begin(found.lanes()));
            return found;
        });
        // Only now can marks and renewals, on other threads, find these leases.
        tokens = Map.copyOf(all);
        lanes.addAll(taken.lanes());
        return taken.lanes();
    }

    @Override
    public boolean isHeld() {
        return !lost && System.nanoTime() - renewedAt < claims.sending().toNanos();
    }

    @Override
    public <T> T read(Supplier<T> query) {
        return query.get();
    }

    @Override
    public <T> T write(Supplier<T> writes) {
        Map<Integer, Long> mine = tokens;
        return inTransaction(() -> {
            require(claims.leases().check(mine), mine);
            return writes.get();
        });
    }

    /** Called by the renewing thread. */
    void renew() {
        long began = System.nanoTime();
        Map<Integer, Long> mine = tokens;
        require(inTransaction(() -> claims.leases().renew(mine)), mine);
        renewedAt = began;
    }

    @Override
    public void release(Map<Integer, Long> floors) {
        claims.released(this);
        try {
            inTransaction(() -> {
                if (claims.leases().check(tokens) == tokens.size()) {
                    claims.queries().moveFloors(floors);
                }
                claims.leases().end(tokens);
                return true;
            });
        } catch (RuntimeException | Error e) {
            claims.leaveBehind(tokens);
            throw e;
        }
    }

    private void require(int held, Map<Integer, Long> expected) {
        if (held < expected.size()) {
            lost = true;
            throw new LeaseLostException(held, expected.size());
        }
    }

    private <T> T inTransaction(Supplier<T> work) {
        return claims.ownTransaction().execute(ignored -> work.get());
    }
}
