package dev.outbox.testkit;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection of a client through a {@link TcpProxy}. */
final class ProxiedConnection {

    private static final int BUFFER = 64 * 1024;

    private final Socket client;
    private final Socket server;
    private final ProxyGate gate;
    private final Runnable onEnd;
    private final AtomicInteger openDirections = new AtomicInteger(2);

    ProxiedConnection(Socket client, Socket server, ProxyGate gate, Runnable onEnd) {
        this.client = client;
        this.server = server;
        this.gate = gate;
        this.onEnd = onEnd;
    }

    void pump(Executor threads) {
        threads.execute(() -> pump(client, server, ProxyGate.Direction.REQUEST));
        threads.execute(() -> pump(server, client, ProxyGate.Direction.REPLY));
    }

    boolean isClosed() {
        return client.isClosed();
    }

    void close() {
        closeQuietly(client);
        closeQuietly(server);
        gate.recheck();
    }

    private void pump(Socket from, Socket to, ProxyGate.Direction direction) {
        byte[] buffer = new byte[BUFFER];
        try {
            int read = from.getInputStream().read(buffer);
            while (read >= 0 && gate.pass(direction, this)) {
                to.getOutputStream().write(buffer, 0, read);
                read = from.getInputStream().read(buffer);
            }
            if (gate.pass(direction, this)) {
                to.shutdownOutput();
            }
        } catch (IOException e) {
            close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
        } finally {
            if (openDirections.decrementAndGet() == 0) {
                close();
                onEnd.run();
            }
        }
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing can be done about it, and nothing is lost: the connection is to end.
        }
    }
}
