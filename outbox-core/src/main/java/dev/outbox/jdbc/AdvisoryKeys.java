package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.postgresql.TableNames;

/**
 * Keys of PostgreSQL's advisory locks. They share one space of 64 bits with the application's own, so each is derived by
 * a hash that begins with the tables' names.
 */
final class AdvisoryKeys {

    private final long aggregates;
    private final long purge;
    private final long[] appendLanes = new long[Aggregate.LANES];
    private final long[] waitingLanes = new long[Aggregate.LANES];

    AdvisoryKeys(TableNames names) {
        String tables = names.qualified("event");
        aggregates = new Aggregate("outbox aggregate lock", tables, null).hash();
        purge = new Aggregate("outbox purge lock", tables, null).hash();
        for (int lane = 0; lane < Aggregate.LANES; lane++) {
            appendLanes[lane] = new Aggregate("outbox append lock " + lane, tables, null).hash();
            waitingLanes[lane] = new Aggregate("outbox waiting lock " + lane, tables, null).hash();
        }
    }

    /** Held to the end of a transaction that appended to the aggregate. */
    long aggregate(long hash) {
        return aggregates ^ hash;
    }

    /** Held, shared or not, to the end of a transaction that appended to an aggregate of the lane. */
    long appendLane(int lane) {
        return appendLanes[lane];
    }

    /** Held while records of the lane are set aside or brought back. */
    long waitingLane(int lane) {
        return waitingLanes[lane];
    }

    /** Held by whoever purges. */
    long purge() {
        return purge;
    }
}
