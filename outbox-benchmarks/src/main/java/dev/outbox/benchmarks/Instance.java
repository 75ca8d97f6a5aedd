package dev.outbox.benchmarks;

import dev.outbox.testkit.JavaProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** An instance of the service in a JVM of its own. */
final class Instance implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Pattern PUBLISHED = Pattern.compile(InstanceMain.PUBLISHED + "(\\d+)");

    private final JavaProcess process;

    private Instance(JavaProcess process) {
        this.process = process;
    }

    /**
     * Starts an instance and returns at once.
     *
     * @param name by which the database server knows it
     * @param properties over the defaults
     * @param heap such as {@code 96m}
     */
    static Instance start(
            Servers servers, OutboxDatabase database, String name, Map<String, String> properties, String heap) {
        List<String> arguments = new ArrayList<>();
        OursRelay.properties(servers, database, name)
                .forEach((property, value) -> arguments.add("--" + property + "=" + value));
        properties.forEach((property, value) -> arguments.add("--" + property + "=" + value));
        return new Instance(JavaProcess.of(InstanceMain.class)
                .jvmOptions("-Xmx" + heap, "-XX:TieredStopAtLevel=4", "-XX:+ExitOnOutOfMemoryError")
                .arguments(arguments.toArray(String[]::new))
                .start());
    }

    void awaitReady() {
        process.awaitOutput(InstanceMain.READY, START_LIMIT);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** How many records it has published so far; up to half a second old. */
    long published() {
        return PUBLISHED
                .matcher(process.output())
                .results()
                .map(MatchResult::group)
                .mapToLong(line -> Long.parseLong(line.substring(InstanceMain.PUBLISHED.length())))
                .max()
                .orElse(0);
    }

    /** The processor time that it has used so far. */
    Duration processorTime() {
        return ProcessHandle.of(process.pid())
                .flatMap(running -> running.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException(
                        "The processor time of the instance is not known: %s".formatted(process.output())));
    }

    @Override
    public void close() {
        process.close();
    }
}
