package dev.outbox.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Lanes held by leases. */
final class LeasedLanes implements HeldLanes {

    private final LeaseClaims claims;
    private final List<Lane> lanes;
    private final Set<String> pausedTopics;
    private final Map<Integer, Long> tokens;
    private volatile long renewedAt;
    private volatile boolean lost;

    /**
     * @param began a moment before the leases began, by {@code System.nanoTime()}
     */
    LeasedLanes(LeaseClaims claims, LaneQueries.Taken taken, Map<Integer, Long> tokens, long began) {
        this.claims = claims;
        this.lanes = new ArrayList<>(taken.lanes());
        this.pausedTopics = taken.paused();
        this.tokens = new ConcurrentHashMap<>(tokens);
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
        LaneQueries.Taken taken = inTransaction(() -> {
            LaneQueries.Taken found = claims.queries().take(more, tokens.keySet());
            tokens.putAll(claims.leases().begin(found.lanes()));
            return found;
        });
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
        return inTransaction(() -> {
            require(claims.leases().check(tokens));
            return writes.get();
        });
    }

    /** Called by the renewing thread. */
    void renew() {
        long began = System.nanoTime();
        require(inTransaction(() -> claims.leases().renew(tokens)));
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

    private void require(int held) {
        if (held < tokens.size()) {
            lost = true;
            throw new LeaseLostException(held, tokens.size());
        }
    }

    private <T> T inTransaction(Supplier<T> work) {
        return claims.ownTransaction().execute(ignored -> work.get());
    }
}
