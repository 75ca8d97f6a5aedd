package dev.outbox.example.dev;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/**
 * Ends the broker's process when the process that started it is gone, however that ended: its end of standard input is
 * closed then. A metrics reporter only because that is the class of ours that a broker loads.
 */
public final class EndWithParent implements MetricsReporter {

    @Override
    public void configure(Map<String, ?> configs) {
        Thread watch = new Thread(EndWithParent::awaitEndOfParent, "end-with-parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEndOfParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever written.
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(1);
    }

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {}
}
