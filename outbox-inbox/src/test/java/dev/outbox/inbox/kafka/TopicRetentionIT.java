package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.RetentionCheck;
import dev.outbox.testkit.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TopicRetentionIT {

    private static final Duration EIGHT_DAYS = Duration.ofDays(8);

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final TestTopic enough = TestTopic.create(1, Map.of("retention.ms", "604800000"));
    private final TestTopic month = TestTopic.create(1, Map.of("retention.ms", "2592000000"));
    private final TestTopic compacted = TestTopic.create(1, Map.of("cleanup.policy", "compact"));
    private final TestTopic endless = TestTopic.create(1, Map.of("retention.ms", "-1"));
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(TopicRetentionCheck.class);

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        List.of(enough, month, compacted, endless).forEach(TestTopic::close);
        database.close();
    }

    @Test
    void aTopicThatKeepsRecordsForLongerThanTheInboxIsWarnedAboutOnce() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);

        try (InboxApplication application = application(RetentionCheck.WARN).start(Consumers.class)) {
            await().atMost(TestTopic.LIMIT).until(() -> log.list.size() >= 3);
            await().atMost(TestTopic.LIMIT)
                    .until(() -> !application.bean(TopicRetentionCheck.class).isRunning());
        }

        assertThat(log.list)
                .extracting(ILoggingEvent::toString)
                .hasSize(3)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("[WARN] Topic " + month.name() + " keeps records for 30 d")
                        .contains("within 1 d", "only 8 d", "outbox.inbox.purge.retention to at least 744h"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("[WARN] Topic " + compacted.name() + " keeps records without end"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("[INFO] Topic " + endless.name() + " keeps records without end"));
    }

    @Test
    void theStartIsRefusedIfTheSettingsSaySo() {
        try (InboxApplication application = application(RetentionCheck.FAIL)) {
            assertThatThrownBy(() -> application.start(Consumers.class))
                    .hasStackTraceContaining(month.name() + " keeps records for 30 d")
                    .hasStackTraceContaining(compacted.name() + " keeps records without end")
                    .hasStackTraceContaining("outbox.inbox.window.check");
        }
    }

    private InboxApplication application(RetentionCheck check) {
        return InboxApplication.on(database)
                .settings(InboxApplication.settings(EIGHT_DAYS, OutsideWindow.PROCESS, check))
                .property("enough", enough.name())
                .property("month", month.name())
                .property("compacted", compacted.name())
                .property("endless", endless.name());
    }

    static class Consumers {

        @IdempotentListener(
                topics = {"${enough}", "${compacted}"},
                consumer = "named",
                autoStartup = "false")
        void named(byte[] payload) {}

        @IdempotentListener(topicPattern = "${month}.*", consumer = "pattern", autoStartup = "false")
        void pattern(byte[] payload) {}

        @IdempotentListener(
                topics = "${endless}",
                consumer = "careful",
                autoStartup = "false",
                outsideWindow = OutsideWindow.STOP)
        void careful(byte[] payload) {}
    }
}
