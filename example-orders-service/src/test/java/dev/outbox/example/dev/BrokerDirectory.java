package dev.outbox.example.dev;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.springframework.util.FileSystemUtils;

/** Where a broker keeps its settings, its records and its output; they outlive the broker's process. */
record BrokerDirectory(Path path, String bootstrapServers) {

    /** Creates a directory for one node that is broker and controller, on free ports. */
    static BrokerDirectory create() throws IOException {
        try (ServerSocket clients = new ServerSocket(0);
                ServerSocket controller = new ServerSocket(0)) {
            BrokerDirectory directory = new BrokerDirectory(
                    Files.createTempDirectory("orders-broker-"), "localhost:" + clients.getLocalPort());
            directory.writeSettings("localhost:" + controller.getLocalPort());
            directory.format();
            return directory;
        }
    }

    private void writeSettings(String controller) throws IOException {
        Properties settings = new Properties();
        settings.setProperty("node.id", "1");
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("listeners", "CLIENTS://%s,CONTROLLER://%s".formatted(bootstrapServers, controller));
        settings.setProperty("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.setProperty("inter.broker.listener.name", "CLIENTS");
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty("controller.quorum.voters", "1@" + controller);
        settings.setProperty("log.dirs", path.resolve("records").toString());
        settings.setProperty("auto.create.topics.enable", "false");
        settings.setProperty("offsets.topic.num.partitions", "1");
        settings.setProperty("offsets.topic.replication.factor", "1");
        settings.setProperty("transaction.state.log.replication.factor", "1");
        settings.setProperty("transaction.state.log.min.isr", "1");
        // A killed broker is taken back only once its old session is over; the default makes a restart 9 seconds
        // longer.
        settings.setProperty("broker.session.timeout.ms", "3000");
        settings.setProperty("broker.heartbeat.interval.ms", "500");
        settings.setProperty("group.initial.rebalance.delay.ms", "0");
        settings.setProperty("metric.reporters", EndWithParent.class.getName());
        try (var writer = Files.newBufferedWriter(settings())) {
            settings.store(writer, null);
        }
    }

    private void format() throws IOException {
        String[] command = {
            "format",
            "--cluster-id",
            Uuid.randomUuid().toString(),
            "--config",
            settings().toString()
        };
        try (PrintStream output = new PrintStream(log().toFile())) {
            if (StorageTool.execute(command, output) != 0) {
                throw new IOException("The broker's directory was not formatted; see " + log());
            }
        }
    }

    Path settings() {
        return path.resolve("server.properties");
    }

    Path log() {
        return path.resolve("broker.log");
    }

    void delete() throws IOException {
        FileSystemUtils.deleteRecursively(path);
    }
}
