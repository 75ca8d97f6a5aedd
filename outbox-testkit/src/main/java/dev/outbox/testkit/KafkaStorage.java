package dev.outbox.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kafka.tools.StorageTool;

/** The directory of one Kafka server: its configuration file and its formatted log directory. */
final class KafkaStorage {

    private KafkaStorage() {}

    /** Writes {@code server.properties}, formats the log directory, and returns the file. */
    static Path prepare(Path directory, String clusterId, Map<String, String> settings) {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("log.dirs", directory.resolve("logs").toString());
        Path file = directory.resolve("server.properties");
        try {
            Files.writeString(
                    file,
                    all.entrySet().stream()
                            .map(setting -> setting.getKey() + "=" + setting.getValue())
                            .collect(Collectors.joining("\n")));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write " + file, e);
        }
        format(file, clusterId);
        return file;
    }

    private static void format(Path file, String clusterId) {
        var output = new ByteArrayOutputStream();
        String[] command = {"format", "--cluster-id", clusterId, "--config", file.toString()};
        int exit = StorageTool.execute(command, new PrintStream(output, true, StandardCharsets.UTF_8));
        if (exit != 0) {
            throw new IllegalStateException(
                    "Formatting the storage of Kafka failed: " + output.toString(StandardCharsets.UTF_8));
        }
    }

    /** Returns the settings that make {@code node} a member of a cluster of {@code nodes}. */
    static Map<String, String> settings(KafkaNode node, List<KafkaNode> nodes, TcpProxy proxy) {
        Map<String, String> settings = new TreeMap<>(BrokerSettings.forReplicas(nodes.size()));
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(node.id()));
        settings.put(
                "controller.quorum.voters", nodes.stream().map(KafkaNode::voter).collect(Collectors.joining(",")));
        settings.put(
                "listeners",
                "CLIENT://127.0.0.1:%d,PROXIED://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                        .formatted(node.clientPort(), node.proxiedPort(), node.controllerPort()));
        settings.put(
                "advertised.listeners", "CLIENT://%s,PROXIED://%s".formatted(node.bootstrapServer(), proxy.address()));
        settings.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
        // A killed server is missed after 3 seconds instead of 9; until then it can neither be replaced nor come back.
        settings.put("broker.session.timeout.ms", "3000");
        settings.put("broker.heartbeat.interval.ms", "500");
        settings.put("inter.broker.listener.name", "CLIENT");
        settings.put("controller.listener.names", "CONTROLLER");
        return settings;
    }
}
