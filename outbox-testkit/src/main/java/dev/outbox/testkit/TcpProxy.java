package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between clients and a server on TCP, and breaks the network between them when told to.
 *
 * <p>It begins restored. Each of {@link #cut()}, {@link #freeze()}, {@link #freezeReplies()}, {@link #delay(Duration)}
 * and {@link #restore()} replaces the one before. It carries up to 200 connections at a time and closes further ones.
 */
public final class TcpProxy implements AutoCloseable {

    private static final int CONNECTIONS = 200;
    private static final int CONNECT_LIMIT_MILLIS = 5_000;

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final ProxyGate gate = new ProxyGate();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Admission> admission = new AtomicReference<>(Admission.OPEN);
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, 2 * CONNECTIONS + 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "tcp-proxy");
                thread.setDaemon(true);
                return thread;
            });

    private enum Admission {
        OPEN,
        REFUSED
    }

    private TcpProxy(InetSocketAddress target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
    }

    /** Opens a proxy on a free port in front of a server, which need not run yet. */
    public static TcpProxy to(String host, int port) {
        try {
            var listener = new ServerSocket(FreePorts.next(), CONNECTIONS, InetAddress.getLoopbackAddress());
            TcpProxy proxy = new TcpProxy(new InetSocketAddress(host, port), listener);
            proxy.threads.execute(proxy::acceptAll);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not open a proxy to %s:%d".formatted(host, port), e);
        }
    }

    /** Returns the host that clients connect to. */
    public String host() {
        return "127.0.0.1";
    }

    /** Returns the port that clients connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns host and port as {@code host:port}. */
    public String address() {
        return host() + ":" + port();
    }

    /** Returns how many connections are open now. */
    public int connections() {
        return connections.size();
    }

    /** Closes every connection, with what is under way in it, and every new one at once. */
    public void cut() {
        admission.set(Admission.REFUSED);
        closeConnections();
        gate.open();
    }

    /** Holds all bytes back, in both directions. Connections stay open, new ones are accepted; nothing is lost. */
    public void freeze() {
        admission.set(Admission.OPEN);
        gate.hold(true, true);
    }

    /** Holds back what the server says, and lets requests through: the server acts, the client does not hear of it. */
    public void freezeReplies() {
        admission.set(Admission.OPEN);
        gate.hold(false, true);
    }

    /**
     * Holds each piece of up to 64 KiB back for a while, in both directions.
     *
     * @param by how long, at least zero
     */
    public void delay(Duration by) {
        admission.set(Admission.OPEN);
        gate.slow(by);
    }

    /** Carries bytes as they come, those that were held back first. */
    public void restore() {
        admission.set(Admission.OPEN);
        gate.open();
    }

    /** Closes the port and every connection. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not close the proxy at " + address(), e);
        } finally {
            closeConnections();
            threads.shutdownNow();
        }
    }

    private void closeConnections() {
        connections.forEach(ProxiedConnection::close);
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                accept(listener.accept());
            } catch (IOException e) {
                // The listener was closed, or the client gave up while it was being accepted.
            }
        }
    }

    private void accept(Socket client) {
        Socket server = new Socket();
        AtomicReference<ProxiedConnection> self = new AtomicReference<>();
        ProxiedConnection connection =
                new ProxiedConnection(client, server, gate, () -> connections.remove(self.get()));
        self.set(connection);
        connections.add(connection);
        try {
            if (admission.get() == Admission.REFUSED || listener.isClosed() || connections.size() > CONNECTIONS) {
                throw new IOException("refused");
            }
            server.connect(target, CONNECT_LIMIT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            connection.pump(threads);
        } catch (IOException | RejectedExecutionException e) {
            connection.close();
            connections.remove(connection);
        }
    }
}
