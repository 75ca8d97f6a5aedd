package dev.outbox.benchmarks;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All scenarios, by name; iterated over by the command line for its help. */
final class Scenarios implements Iterable<String> {

    private static final List<Scenario> ALL = List.of(
            new RelayDrain(),
            new RelayDrainThree(),
            new RelayHot(),
            new RelayBlocked(),
            new RelayHistory(),
            new RelayLongTransaction(),
            new RelayPurge(),
            new Append(),
            new Latency(),
            new Idle(),
            new Memory(),
            new Peers());

    static @Nullable Scenario named(String name) {
        return ALL.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    static String names() {
        return ALL.stream().map(Scenario::name).collect(Collectors.joining(", "));
    }

    @Override
    public Iterator<String> iterator() {
        return ALL.stream()
                .map(scenario -> "%n  %-24s %s".formatted(scenario.name(), scenario.description()))
                .iterator();
    }
}
