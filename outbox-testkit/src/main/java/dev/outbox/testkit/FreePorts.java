package dev.outbox.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** TCP ports that a server can leave and take again. */
final class FreePorts {

    // Below the ports that systems give to outgoing connections: while a server is down, a client that keeps trying to
    // reach it could be given the server's own port, and connect to itself.
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /** Returns a port that nobody listens on now. */
    static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port found between %d and %d".formatted(FIRST, END));
    }

    private static boolean isFree(int port) {
        try (ServerSocket listener = new ServerSocket(port)) {
            return listener.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
