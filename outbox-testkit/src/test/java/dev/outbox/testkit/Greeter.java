package dev.outbox.testkit;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs in a JVM of its own: greets and ends, or ticks until it is ended. */
final class Greeter {

    private Greeter() {}

    public static void main(String[] arguments) {
        System.out.println(System.getProperty("greeting") + ", " + System.getenv("GREETED"));
        if (arguments.length > 0) {
            System.exit(3);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shut down")));
        Future<?> ticks = Executors.newSingleThreadScheduledExecutor()
                .scheduleAtFixedRate(() -> System.out.println("tick"), 0, 20, TimeUnit.MILLISECONDS);
        System.out.println("ticking: " + !ticks.isDone());
    }
}
