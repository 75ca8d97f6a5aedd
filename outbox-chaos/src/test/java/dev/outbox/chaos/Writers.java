package dev.outbox.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.context.SmartLifecycle;

/** The threads of one instance that write, from the start of the application to its end. */
final class Writers implements SmartLifecycle {

    private static final int STOP_LIMIT_SECONDS = 10;

    private final WriterSettings settings;
    private final Function<Random, Writer> writer;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    Writers(WriterSettings settings, Function<Random, Writer> writer) {
        this.settings = settings;
        this.writer = writer;
    }

    @Override
    public void start() {
        for (int i = 0; i < settings.threads(); i++) {
            Writer work = writer.apply(new Random(settings.seed() * 31 + i));
            Thread thread = new Thread(() -> work.run(stopping), "writer-" + i);
            thread.start();
            threads.add(thread);
        }
    }

    @Override
    public void stop() {
        stopping.countDown();
        threads.forEach(Writers::join);
    }

    @Override
    public boolean isRunning() {
        return !threads.isEmpty() && stopping.getCount() > 0;
    }

    /** Whether every thread has made all its transactions. */
    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(STOP_LIMIT_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
