package dev.outbox;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the outbox logs as warnings and errors, from now on. */
final class Alerts implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.outbox");
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                events.add(event);
            }
        }
    };

    Alerts() {
        appender.start();
        logger.addAppender(appender);
    }

    int count() {
        return events.size();
    }

    long stackTraces() {
        return events.stream()
                .filter(event -> event.getThrowableProxy() != null)
                .count();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
