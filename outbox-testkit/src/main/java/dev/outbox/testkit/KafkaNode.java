package dev.outbox.testkit;

/**
 * Identity and ports of one Kafka server that is broker and controller at once.
 *
 * @param id node id, from 1
 * @param clientPort where clients connect directly
 * @param proxiedPort where the proxy connects
 * @param controllerPort where the controllers talk to each other
 */
record KafkaNode(int id, int clientPort, int proxiedPort, int controllerPort) {

    static KafkaNode next(int id) {
        return new KafkaNode(id, FreePorts.next(), FreePorts.next(), FreePorts.next());
    }

    String voter() {
        return id + "@127.0.0.1:" + controllerPort;
    }

    String bootstrapServer() {
        return "127.0.0.1:" + clientPort;
    }
}
