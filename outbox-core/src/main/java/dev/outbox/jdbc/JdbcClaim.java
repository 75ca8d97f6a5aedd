package dev.outbox.jdbc;

import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads held lanes with a cursor each, and writes down how deliveries ended. */
final class JdbcClaim implements DeliveryStore.Claim {

    /** A floor is worth a write when it spares the next holder so many entries of the index. */
    static final int FLOOR_STEP = 10_000;

    private static final Duration LOOK_FOR_RETRIES = Duration.ofMillis(100);

    private final HeldLanes held;
    private final ClaimedReads reads;
    private final OutcomeWrites writes;
    private final Map<Integer, Long> floors = new HashMap<>();
    private final List<LaneCursor> cursors = new ArrayList<>();
    private final Outstanding outstanding = new Outstanding();
    private final Marks marks = new Marks();
    private long nextLookForRetries = System.nanoTime();

    JdbcClaim(HeldLanes held, ClaimedReads reads, OutcomeWrites writes) {
        this.held = held;
        this.reads = reads;
        this.writes = writes;
        held.lanes().forEach(this::add);
    }

    private void add(HeldLanes.Lane lane) {
        floors.put(lane.lane(), lane.floor());
        cursors.add(new LaneCursor(lane.lane(), lane.floor()));
    }

    @Override
    public List<Integer> lanes() {
        return cursors.stream().map(LaneCursor::lane).toList();
    }

    @Override
    public Set<String> pausedTopics() {
        return held.pausedTopics();
    }

    @Override
    public void extend(int lanes) {
        held.extend(lanes).forEach(this::add);
    }

    @Override
    public boolean isHeld() {
        return held.isHeld();
    }

    /** Retries get at most half of a read, so that they never keep fresh records out. */
    @Override
    public DeliveryStore.Batch read(BatchLimits limits) {
        outstanding.settle();
        List<Delivery> deliveries = new ArrayList<>();
        boolean full = false;
        BatchLimits left = limits;
        if (System.nanoTime() - nextLookForRetries >= 0) {
            Found due = readDue(limits);
            // Two records of one aggregate can be due when an operator and a relay meet; what waits is found twice
            // then.
            due.deliveries().stream().filter(outstanding::add).forEach(deliveries::add);
            full = !due.deliveries().isEmpty();
            left = new BatchLimits(
                    Math.max(1, limits.records() - due.deliveries().size()),
                    Math.max(1, limits.bytes() - due.bytes()),
                    limits.perLane());
        }
        full |= readReady(left, deliveries);
        return new DeliveryStore.Batch(deliveries, full);
    }

    private Found readDue(BatchLimits limits) {
        BatchLimits half =
                new BatchLimits(Math.max(1, limits.records() / 2), Math.max(1, limits.bytes() / 2), limits.perLane());
        Found due = held.read(() -> reads.due(cursors, outstanding, half));
        nextLookForRetries = System.nanoTime() + (due.deliveries().isEmpty() ? LOOK_FOR_RETRIES.toNanos() : 0);
        return due;
    }

    private boolean readReady(BatchLimits limits, List<Delivery> deliveries) {
        Map<Integer, Integer> rooms = new HashMap<>();
        cursors.forEach(cursor -> rooms.put(cursor.lane(), ClaimedReads.room(cursor, outstanding, limits)));
        Found ready = held.read(() -> reads.ready(cursors, outstanding, limits, deliveries.isEmpty()));
        if (!ready.behind().isEmpty()) {
            held.write(() -> writes.setAside(ready.behind()));
        }
        ready.deliveries().stream().filter(outstanding::add).forEach(deliveries::add);
        int index = marks.readEnded();
        boolean full = ready.cut(limits.records());
        for (LaneCursor cursor : cursors) {
            boolean laneFull = ready.count(cursor.lane()) >= rooms.getOrDefault(cursor.lane(), 0);
            advance(cursor, ready, full || laneFull, index);
            full |= laneFull && ready.count(cursor.lane()) > 0;
        }
        return full;
    }

    /** What came in below the position was read to its end if something above it was read, or if nothing was cut off. */
    private void advance(LaneCursor cursor, Found ready, boolean cut, int index) {
        Snapshot snapshot = ready.snapshot();
        if (snapshot != null) {
            long highest = ready.highest(cursor.lane());
            if (!cut || highest > cursor.position()) {
                cursor.settle(snapshot, marks.toldBy(snapshot));
            }
            cursor.advance(highest, snapshot, index);
        }
    }

    @Override
    public void record(List<Outcome> outcomes) {
        int reads = marks.reads();
        long transaction = held.write(() -> writes.record(outcomes));
        marks.marked(transaction, reads);
        outstanding.recorded(outcomes);
    }

    @Override
    public void close() {
        outstanding.settle();
        held.release(movedFloors());
    }

    private Map<Integer, Long> movedFloors() {
        Map<Integer, Long> moved = new HashMap<>();
        for (LaneCursor cursor : cursors) {
            long before = floors.getOrDefault(cursor.lane(), 0L);
            if (cursor.floor() - before >= FLOOR_STEP && outstanding.ofLane(cursor.lane()) == 0) {
                moved.put(cursor.lane(), cursor.floor());
            }
        }
        return moved;
    }
}
