package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes a {@link JavaProcess}. Without further settings: at most 256 MiB of heap, quick start over peak speed. */
public final class JavaProcessBuilder {

    private final String mainClass;
    private final List<String> jvmOptions =
            new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private @Nullable Path output;

    JavaProcessBuilder(String mainClass) {
        this.mainClass = mainClass;
    }

    /** Adds options of the JVM; a later one wins over an earlier one. */
    public JavaProcessBuilder jvmOptions(String... options) {
        jvmOptions.addAll(List.of(options));
        return this;
    }

    /** Sets a system property of the process. */
    public JavaProcessBuilder systemProperty(String name, String value) {
        return jvmOptions("-D" + name + "=" + value);
    }

    /** Sets an environment variable, beside those of this JVM. */
    public JavaProcessBuilder environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Adds arguments of the main class. */
    public JavaProcessBuilder arguments(String... values) {
        arguments.addAll(List.of(values));
        return this;
    }

    /** Appends the output to a file that is kept, instead of a temporary one. */
    public JavaProcessBuilder output(Path file) {
        output = file;
        return this;
    }

    /** Starts the process and returns without waiting for anything that it does. */
    public JavaProcess start() {
        WorkDirectory directory = WorkDirectory.create("process");
        Path file = output == null ? directory.resolve("output.log") : output;
        var builder = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile()));
        builder.environment().putAll(environment);
        try {
            return new JavaProcess(builder.start(), file, directory);
        } catch (IOException e) {
            directory.close();
            throw new UncheckedIOException("Could not start a JVM for " + mainClass, e);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
