package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.outbox.inbox.ConsumerName;
import java.time.Duration;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PollWatchTest {

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(PollWatch.class);
    private long sincePoll;
    private final PollWatch watch =
            new PollWatch(new ConsumerName("billing"), Duration.ofSeconds(10), polled -> sincePoll);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void ignore() {
        logger.detachAppender(log);
    }

    @Test
    void upToHalfOfThePollIntervalNothingIsSaid() {
        processed(10, 5_000);

        assertThat(log.list).isEmpty();
        assertThat(watch.isPollDue(consumer)).isFalse();
    }

    @Test
    void aLongPollIsToldWithItsRecordsAndWhatToLower() {
        processed(1, 3_000);
        processed(1, 6_000);

        assertThat(watch.isPollDue(consumer)).isTrue();
        assertThat(log.list).hasSize(1);
        assertThat(log.list.get(0).getFormattedMessage())
                .contains("'billing' has spent 6000 ms on 2 record(s)", "max.poll.interval.ms = 10000")
                .contains("Lower max.poll.records");
    }

    @Test
    void aBurstOfLongPollsIsToldOnce() {
        processed(1, 6_000);
        processed(1, 9_000);
        processed(1, 2_000);
        processed(1, 7_000);
        assertThat(log.list).hasSize(1);

        processed(1, 1_000);
        processed(1, 0);
        processed(1, 8_000);
        assertThat(log.list).hasSize(2);
    }

    private void processed(int records, long after) {
        sincePoll = after;
        watch.processed(records, consumer);
    }
}
