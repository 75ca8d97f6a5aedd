package dev.outbox.jdbc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How far one lane was read in a tenure, and who could still add something below.
 *
 * <p>Without it every read would walk the index from the beginning, past the entries of all that was published since the
 * server last cleaned up. But a position alone loses what commits late, with a number below it. Only a transaction that was
 * under way when the position moved can do that, and every append has its transaction id before it draws its numbers. So
 * the cursor keeps two kinds of doubt, each with the number above which something may come in:
 *
 * <ul>
 *   <li>transactions known to be running: the next read goes back when one of them has ended, and not before, so an old
 *       transaction costs nothing
 *   <li>reads after which some transaction ids were given out that their snapshot does not tell, because none above them
 *       had ended: every read goes back until a later snapshot tells them ({@link Marks})
 * </ul>
 */
final class LaneCursor {

    private final int lane;
    private long position;
    private final Map<Long, Long> running = new HashMap<>();
    private final Deque<Read> untold = new ArrayDeque<>();

    LaneCursor(int lane, long floor) {
        this.lane = lane;
        this.position = floor;
    }

    int lane() {
        return lane;
    }

    /** The highest number that was read. */
    long position() {
        return position;
    }

    /** Where the next read has to begin, above this number, whatever transactions have ended. */
    long start() {
        return untold.isEmpty() ? position : untold.getFirst().before;
    }

    /** Running transactions, each with the number above which it may add something. */
    Map<Long, Long> running() {
        return running;
    }

    /**
     * Takes in what a read saw that has read all there was from {@link #start} and from the ended transactions' numbers to
     * the position.
     *
     * @param told the latest read of which this snapshot tells all transactions
     */
    void settle(Snapshot snapshot, int told) {
        running.keySet().retainAll(snapshot.running());
        while (!untold.isEmpty() && untold.getFirst().index <= told) {
            Read read = untold.removeFirst();
            for (long transaction : snapshot.running()) {
                if (transaction >= read.end) {
                    running.putIfAbsent(transaction, read.before);
                }
            }
        }
    }

    /** Takes in that a read has gone on to a number; that it was no progress is well. */
    void advance(long to, Snapshot snapshot, int index) {
        if (to > position) {
            snapshot.running().forEach(transaction -> running.putIfAbsent(transaction, position));
            untold.addLast(new Read(index, position, snapshot.end()));
            position = to;
        }
    }

    /** Nothing can come in at or below this number any more. */
    long floor() {
        return running.values().stream().reduce(start(), Math::min);
    }

    /**
     * A read that moved the position.
     *
     * @param index which one it was
     * @param before the position before it
     * @param end its snapshot tells no transaction from this id on
     */
    private record Read(int index, long before, long end) {}
}
