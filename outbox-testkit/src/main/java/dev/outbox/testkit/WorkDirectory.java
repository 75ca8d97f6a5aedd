package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** A temporary directory that is removed with everything in it. */
record WorkDirectory(Path path) implements AutoCloseable {

    static WorkDirectory create(String purpose) {
        try {
            return new WorkDirectory(Files.createTempDirectory("outbox-" + purpose + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create a temporary directory for " + purpose, e);
        }
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() {
        if (!Files.exists(path)) {
            return;
        }
        try (var entries = Files.walk(path)) {
            List<Path> deepestFirst = entries.sorted(Comparator.reverseOrder()).toList();
            for (Path entry : deepestFirst) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not remove " + path, e);
        }
    }
}
