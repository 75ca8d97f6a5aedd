package dev.outbox.testkit;

import java.util.concurrent.CountDownLatch;

/** Runs in a JVM of its own: starts a server and a process, names them, and waits to be killed. */
final class ServersOfAKilledJvm {

    private ServersOfAKilledJvm() {}

    public static void main(String[] arguments) throws InterruptedException {
        RestartablePostgres postgres = PostgresServer.start(PostgresOptions.fast());
        JavaProcess process = JavaProcess.of(Greeter.class).start();
        System.out.printf("port=%d directory=%s pid=%d.%n", postgres.port(), postgres.directory(), process.pid());
        new CountDownLatch(1).await();
    }
}
