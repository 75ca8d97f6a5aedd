package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** What {@link Instance} runs. Tells on its output when it is ready, and how many records it has published. */
final class InstanceMain {

    static final String READY = "instance is ready";
    static final String PUBLISHED = "published=";

    private static final Duration TELL_EVERY = Duration.ofMillis(500);

    private InstanceMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        PublishedCount count = new SpringApplicationBuilder(OursApplication.class)
                .web(WebApplicationType.NONE)
                .run(arguments)
                .getBean(PublishedCount.class);
        System.out.println(READY);
        CountDownLatch never = new CountDownLatch(1);
        long told = 0;
        while (!never.await(TELL_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
            long published = count.total();
            if (published != told) {
                System.out.println(PUBLISHED + published);
                told = published;
            }
        }
    }
}
