package dev.outbox.jdbc;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Knows from the transaction ids of the relay's own marks which reads are told by a later snapshot.
 *
 * <p>Ids are given out in order. Whoever had one when a read was over has a lower one than a mark that began after it. A
 * snapshot that has seen that mark end knows all the lower ones, as ended or as running.
 */
final class Marks {

    private final Deque<Mark> marks = new ArrayDeque<>();
    private int reads;
    private int told;

    /** A read is over; returns which one it was. */
    synchronized int readEnded() {
        return ++reads;
    }

    /** How many reads were over, to be asked before a mark begins. */
    synchronized int reads() {
        return reads;
    }

    /**
     * A mark has been committed.
     *
     * @param transaction its id
     * @param after how many reads were over when it began
     */
    synchronized void marked(long transaction, int after) {
        marks.addLast(new Mark(transaction, after));
    }

    /** The latest read of which this snapshot tells all transactions. */
    synchronized int toldBy(Snapshot snapshot) {
        while (!marks.isEmpty() && marks.getFirst().transaction < snapshot.end()) {
            told = Math.max(told, marks.removeFirst().after);
        }
        return told;
    }

    private record Mark(long transaction, int after) {}
}
