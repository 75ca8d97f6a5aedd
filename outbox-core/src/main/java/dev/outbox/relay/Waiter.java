package dev.outbox.relay;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A wait that another thread can end. A wake-up while nobody waits ends the next wait at once. */
final class Waiter {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wakeUp = lock.newCondition();
    private boolean woken;

    /** Waits until the time is over or somebody wakes this; tells whether it was woken. */
    boolean await(Duration time) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = time.toNanos();
            while (!woken && nanos > 0) {
                nanos = wakeUp.awaitNanos(nanos);
            }
            boolean result = woken;
            woken = false;
            return result;
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            woken = true;
            wakeUp.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
