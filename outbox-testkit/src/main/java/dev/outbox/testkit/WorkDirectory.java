package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

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

    /** May be called by two threads at once, as shutdown hooks do: each removes what the other has left. */
    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removal());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not remove " + path, e);
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null && !(failure instanceof NoSuchFileException)) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
