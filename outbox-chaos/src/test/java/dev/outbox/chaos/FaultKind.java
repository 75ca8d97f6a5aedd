package dev.outbox.chaos;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What can break. */
public enum FaultKind {

    /** Every connection breaks, and the server recovers from its log when it starts again. */
    DATABASE_STOPPED(Part.DATABASE, 1, 3),

    /** The server stands still with every connection open. */
    DATABASE_PAUSED(Part.DATABASE, 1, 5),

    /** Every session is ended, as an administrator would; nothing to heal. */
    SESSIONS_TERMINATED(Part.DATABASE, 0, 0),

    /** Connections between instances and database are closed, and refused. */
    DATABASE_CUT_OFF(Part.DATABASE, 1, 3),

    /** Nothing passes between instances and database; connections stay open. */
    DATABASE_UNREACHABLE(Part.DATABASE, 2, 6),

    /** The database hears the instances and they don't hear it: commits with unknown outcome. */
    DATABASE_HALF_OPEN(Part.DATABASE, 2, 6),

    /** Every exchange with the database takes long. */
    DATABASE_SLOW(Part.DATABASE, 1, 3),

    /** Of three replicas two are left: publishing goes on. */
    BROKER_KILLED(Part.BROKERS, 1, 4),

    /** One replica is left, which is too few: publishing waits. */
    TWO_BROKERS_KILLED(Part.BROKERS, 1, 3),

    /** Two brokers stand still, and the third dies before they go on: what only that one had is gone. */
    LAST_BROKER_KILLED(Part.BROKERS, 1, 3),

    /** A broker stands still, at times for longer than the others wait for it. */
    BROKER_PAUSED(Part.BROKERS, 2, 6),

    /** Every broker stands still. */
    BROKERS_PAUSED(Part.BROKERS, 2, 5),

    /** Connections to brokers are closed, and refused. */
    BROKERS_CUT_OFF(Part.BROKERS, 1, 3),

    /** Nothing passes between instances and brokers; connections stay open. */
    BROKERS_UNREACHABLE(Part.BROKERS, 2, 6),

    /** Brokers hear the instances and those don't hear them: records with unknown outcome. */
    BROKERS_HALF_OPEN(Part.BROKERS, 2, 6),

    /** Every exchange with brokers takes long. */
    BROKERS_SLOW(Part.BROKERS, 1, 3),

    /** An instance dies in the middle of whatever it does. */
    INSTANCE_KILLED(Part.INSTANCES, 0, 2),

    /** An instance stands still for longer than a lease of some seconds, and then goes on as if nothing had happened. */
    INSTANCE_PAUSED(Part.INSTANCES, 8, 10),

    /** An instance stands still for longer than the server lets a claim be silent, which takes too long for short runs. */
    INSTANCE_HUNG(Part.INSTANCES, 38, 42),

    /** An instance is asked to end, and must do so in good order. */
    INSTANCE_TERMINATED(Part.INSTANCES, 0, 1),

    /** Sessions of consumers are ended while they commit; nothing to heal. */
    COMMITS_TERMINATED(Part.DATABASE, 0, 0),

    /** Members join the consumer groups for a moment and leave again, one after the other. */
    MEMBERS_COME_AND_GO(Part.INSTANCES, 1, 3),

    /** A handler takes longer than a consumer may take between two polls; nothing to heal. */
    HANDLER_SLOW(Part.INSTANCES, 0, 0);

    /** What breaks writers and relays. */
    public static final Set<FaultKind> OF_PUBLISHING =
            Collections.unmodifiableSet(EnumSet.range(DATABASE_STOPPED, INSTANCE_TERMINATED));

    /**
     * What breaks consumers. Not {@link #LAST_BROKER_KILLED}: the check must know where the brokers put each record, also
     * of those that they have not acknowledged.
     */
    public static final Set<FaultKind> OF_CONSUMING =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(LAST_BROKER_KILLED, INSTANCE_HUNG)));

    private final Part part;
    private final int leastSeconds;
    private final int mostSeconds;

    FaultKind(Part part, int leastSeconds, int mostSeconds) {
        this.part = part;
        this.leastSeconds = leastSeconds;
        this.mostSeconds = mostSeconds;
    }

    public Part part() {
        return part;
    }

    int leastSeconds() {
        return leastSeconds;
    }

    int mostSeconds() {
        return mostSeconds;
    }

    /** What breaks; two faults of one part are never under way at once. */
    public enum Part {
        DATABASE,
        BROKERS,
        INSTANCES
    }
}
