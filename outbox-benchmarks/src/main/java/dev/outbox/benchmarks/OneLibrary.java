package dev.outbox.benchmarks;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Keeps the outboxes on the class path apart: an application has the configuration of one, ours unless it names another. */
final class OneLibrary implements AutoConfigurationImportFilter, EnvironmentAware {

    /** Names the package of the library that an application uses. */
    static final String PROPERTY = "benchmark.library";

    static final String OURS = "dev.outbox.";
    static final String NAMASTACK = "io.namastack.";
    static final String MODULITH = "org.springframework.modulith.";

    private static final List<String> LIBRARIES = List.of(OURS, NAMASTACK, MODULITH);

    private String chosen = OURS;

    @Override
    public void setEnvironment(Environment environment) {
        chosen = environment.getProperty(PROPERTY, OURS);
    }

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        boolean[] matches = new boolean[configurations.length];
        for (int index = 0; index < matches.length; index++) {
            String configuration = configurations[index];
            matches[index] = configuration == null || isAllowed(configuration);
        }
        return matches;
    }

    private boolean isAllowed(String configuration) {
        return Stream.concat(Stream.of(chosen), LIBRARIES.stream())
                .filter(configuration::startsWith)
                .findFirst()
                .map(chosen::equals)
                .orElse(true);
    }
}
