package dev.outbox.testkit;

/** Work that is done when the JVM ends, unless it was cancelled before. */
final class ShutdownHook {

    private final Thread thread;

    private ShutdownHook(Thread thread) {
        this.thread = thread;
    }

    static ShutdownHook of(Runnable work) {
        Thread thread = new Thread(work, "outbox-testkit-shutdown");
        Runtime.getRuntime().addShutdownHook(thread);
        return new ShutdownHook(thread);
    }

    /** Forgets the work; nothing happens when the JVM is ending already. */
    void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is ending, perhaps by this very hook.
        }
    }
}
