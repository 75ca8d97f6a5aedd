package dev.outbox.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What the bytes of a {@link TcpProxy} have to pass: open, slow, or shut in one direction or in both. */
final class ProxyGate {

    /** Where bytes go. */
    enum Direction {

        /** From the client to the server. */
        REQUEST,

        /** From the server to the client. */
        REPLY
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean requestsHeld;
    private boolean repliesHeld;
    private Duration delay = Duration.ZERO;

    void open() {
        set(false, false, Duration.ZERO);
    }

    void hold(boolean requests, boolean replies) {
        set(requests, replies, Duration.ZERO);
    }

    void slow(Duration by) {
        set(false, false, by);
    }

    /** Lets those who wait look again whether their connection is still open. */
    void recheck() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until bytes may go on; returns whether the connection still wants them. */
    boolean pass(Direction direction, ProxiedConnection connection) throws InterruptedException {
        lock.lock();
        try {
            long left = delay.toNanos();
            while (!connection.isClosed() && (isHeld(direction) || left > 0)) {
                if (isHeld(direction)) {
                    changed.await();
                } else {
                    left = changed.await(left, TimeUnit.NANOSECONDS) ? Math.min(left, delay.toNanos()) : 0;
                }
            }
            return !connection.isClosed();
        } finally {
            lock.unlock();
        }
    }

    private boolean isHeld(Direction direction) {
        return direction == Direction.REQUEST ? requestsHeld : repliesHeld;
    }

    private void set(boolean requests, boolean replies, Duration newDelay) {
        lock.lock();
        try {
            requestsHeld = requests;
            repliesHeld = replies;
            delay = newDelay;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
