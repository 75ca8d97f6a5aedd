package dev.outbox.relay;

/** What a worker does while it holds lanes. */
interface Shift {

    /** Works until its time is over or there is nothing more to do; tells whether it found something. */
    boolean run() throws InterruptedException;

    /** Something was appended. Any thread. */
    void wake();
}
