package dev.outbox.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What was done to the world, and when: a file that is there also when the run is broken off.
 *
 * @param file where it is kept
 */
public record Diary(Path file) {

    public void note(String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write " + file, e);
        }
    }

    /** Makes a directory for diaries and logs, or empties it. */
    public static void makeEmpty(Path directory) {
        try {
            Files.createDirectories(directory);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make an empty directory " + directory, e);
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
