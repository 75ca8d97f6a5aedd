package dev.outbox.testkit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where the shared servers of a JVM come from. */
enum TestServers {

    /** Started on this machine from binaries on the class path. */
    EMBEDDED,

    /** Started as containers; needs Docker. */
    TESTCONTAINERS;

    static final String PROPERTY = "outbox.test.servers";
    static final String ENVIRONMENT = "OUTBOX_TEST_SERVERS";

    /** Returns the choice of the system property, else of the environment variable, else embedded. */
    static TestServers selected() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(ENVIRONMENT)))
                .map(TestServers::named)
                .orElse(EMBEDDED);
    }

    static TestServers named(String name) {
        return Arrays.stream(values())
                .filter(servers -> servers.name().equals(name.strip().toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s (or %s) is '%s'; set it to embedded or testcontainers, or leave it out"
                                .formatted(PROPERTY, ENVIRONMENT, name)));
    }
}
