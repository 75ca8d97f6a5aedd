package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** Answers every byte with itself, and counts them. */
final class EchoServer implements AutoCloseable {

    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong received = new AtomicLong();

    EchoServer() throws IOException {
        listener = new ServerSocket(FreePorts.next(), 50, InetAddress.getLoopbackAddress());
        threads.execute(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    long received() {
        return received.get();
    }

    private void acceptAll() {
        try {
            while (true) {
                accept(listener.accept());
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void accept(Socket client) {
        try {
            threads.execute(() -> echo(client));
        } catch (RejectedExecutionException e) {
            // The system may still give a connection to a thread that waited for one when the listener was closed.
            ProxiedConnection.closeQuietly(client);
        }
    }

    private void echo(Socket client) {
        byte[] buffer = new byte[8192];
        try (client) {
            int read = client.getInputStream().read(buffer);
            while (read >= 0) {
                received.addAndGet(read);
                client.getOutputStream().write(buffer, 0, read);
                read = client.getInputStream().read(buffer);
            }
        } catch (IOException e) {
            // the client is gone
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
