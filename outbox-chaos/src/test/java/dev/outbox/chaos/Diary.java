package dev.outbox.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What was done to the world, and when: a file that is there also when the run is broken off.
 *
 * @param file where it is kept
 */
record Diary(Path file) {

    void note(String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write " + file, e);
        }
    }

    /** All lines. */
    @Override
    public String toString() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "(no diary in " + file + ")";
        }
    }
}
