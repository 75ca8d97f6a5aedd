package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

    private static final int PATIENCE_MILLIS = 5_000;
    private static final int SHORT_MILLIS = 150;

    private EchoServer server;
    private TcpProxy proxy;

    @BeforeEach
    void open() throws IOException {
        server = new EchoServer();
        proxy = TcpProxy.to("127.0.0.1", server.port());
    }

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    @Test
    void bytesPassUnchangedInBothDirections() throws IOException {
        byte[] sent = new byte[300_000];
        new Random(7).nextBytes(sent);
        try (Socket client = connect()) {
            Thread writer = new Thread(() -> write(client, sent));
            writer.start();

            assertThat(client.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
        }
    }

    @Test
    void theEndOfAStreamPassesWhileTheOtherDirectionStaysOpen() throws IOException {
        try (Socket client = connect()) {
            write(client, new byte[] {1, 2, 3});
            client.shutdownOutput();

            assertThat(client.getInputStream().readAllBytes()).containsExactly(1, 2, 3);
        }
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void aCutBreaksOpenConnectionsAndNewOnesUntilItIsRestored() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);

            proxy.cut();

            assertThat(isBroken(client)).isTrue();
            try (Socket late = connect()) {
                assertThat(isBroken(late)).isTrue();
            }
        }
        proxy.restore();
        try (Socket client = connect()) {
            assertThat(echo(client, 2)).isEqualTo(2);
        }
    }

    @Test
    void aFreezeHoldsBytesBackAndLosesNone() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);

            proxy.freeze();
            write(client, new byte[] {2});
            assertSilent(client);
            assertThat(server.received()).isEqualTo(1);

            proxy.restore();
            assertThat(read(client)).isEqualTo(2);
        }
    }

    @Test
    void aConnectionMadeDuringAFreezeIsAcceptedAndServedAfterwards() throws IOException {
        proxy.freeze();
        try (Socket client = connect()) {
            write(client, new byte[] {3});
            assertSilent(client);

            proxy.restore();
            assertThat(read(client)).isEqualTo(3);
        }
    }

    @Test
    void frozenRepliesLetTheServerActWithoutTheClientHearingOfIt() throws IOException {
        try (Socket client = connect()) {
            proxy.freezeReplies();
            write(client, new byte[] {4});
            await().until(() -> server.received() == 1);
            assertSilent(client);

            proxy.cut();

            assertThat(isBroken(client)).isTrue();
        }
    }

    @Test
    void aClientThatBreaksOffEndsItsConnectionEvenWhileRepliesAreFrozen() throws IOException {
        try (Socket client = connect()) {
            proxy.freezeReplies();
            write(client, new byte[] {4});
            await().until(() -> server.received() == 1);
            client.setSoLinger(true, 0);
        }

        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void aDelayHoldsEveryPieceForAWhile() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);
            proxy.delay(Duration.ofMillis(100));

            long start = System.nanoTime();
            assertThat(echo(client, 5)).isEqualTo(5);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void aConnectionToAServerThatIsDownIsClosed() throws IOException {
        server.close();
        try (Socket client = connect()) {
            assertThat(isBroken(client)).isTrue();
        }
    }

    @Test
    void closingFreesThePortAndEndsEveryThreadEvenFrozenOnes() throws IOException {
        try (Socket client = connect()) {
            proxy.freeze();
            write(client, new byte[] {6});
            await().until(() -> proxy.connections() == 1);

            proxy.close();

            assertThat(isBroken(client)).isTrue();
            await().until(() -> proxy.connections() == 0);
            assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
        }
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.isAlive() && thread.getName().equals("tcp-proxy")));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static int echo(Socket client, int value) throws IOException {
        write(client, new byte[] {(byte) value});
        return read(client);
    }

    private static int read(Socket client) throws IOException {
        return client.getInputStream().read();
    }

    private static void write(Socket client, byte[] bytes) {
        try {
            client.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new AssertionError("Could not write", e);
        }
    }

    private static void assertSilent(Socket client) throws IOException {
        client.setSoTimeout(SHORT_MILLIS);
        assertThatThrownBy(() -> read(client)).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout(PATIENCE_MILLIS);
    }

    private static boolean isBroken(Socket client) throws IOException {
        try {
            return read(client) < 0;
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return true;
        }
    }
}
