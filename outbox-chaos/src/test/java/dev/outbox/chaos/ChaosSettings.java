package dev.outbox.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a run goes.
 *
 * @param seed of the faults and of what the writers do
 * @param duration how long faults are inflicted
 * @param faults what may break
 * @param variants properties of the instances, one set after the other
 * @param slice how long one variant runs before the next has its turn
 */
public record ChaosSettings(
        long seed, Duration duration, Set<FaultKind> faults, List<Map<String, String>> variants, Duration slice) {

    /**
     * What the instances are run with, in turn, unless {@code chaos.properties} says otherwise: whatever promises the
     * order of aggregates. A lease must outlast 5 s of publishing ({@link Instance}) and not {@link
     * FaultKind#INSTANCE_PAUSED}.
     */
    static final List<Map<String, String>> VARIANTS =
            List.of(Map.of(), Map.of("outbox.relay.claim", "lease", "outbox.relay.lease", "7s"));

    private static final long SHORT_SEED = 20_261;
    private static final Duration SHORT = Duration.ofSeconds(45);
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final Duration LONGEST_SLICE = Duration.ofMinutes(5);

    /**
     * Of the system properties {@code chaos.minutes}, {@code chaos.seed} and {@code chaos.properties}; {@code chaos.long},
     * which the Maven profile sets, makes the run long without saying how long.
     */
    static ChaosSettings configured() {
        String properties = System.getProperty("chaos.properties", "");
        List<Map<String, String>> variants = properties.isEmpty() ? VARIANTS : parse(properties);
        return isLong() ? longRun(longDuration(), variants) : shortRun(variants);
    }

    /** Whether a long run is wanted. */
    public static boolean isLong() {
        return Long.getLong("chaos.minutes") != null || Boolean.getBoolean("chaos.long");
    }

    /** How long faults are inflicted in a long run. */
    public static Duration longDuration() {
        Long minutes = Long.getLong("chaos.minutes");
        return minutes == null ? LONG : Duration.ofMinutes(minutes);
    }

    /** The seed that is configured; if none is, {@code shortSeed} in a short run and any in a long one. */
    public static long seed(long shortSeed) {
        return Long.getLong("chaos.seed", isLong() ? ThreadLocalRandom.current().nextInt(1_000_000) : shortSeed);
    }

    private static Set<FaultKind> ofShortRuns() {
        Set<FaultKind> faults = EnumSet.copyOf(FaultKind.OF_PUBLISHING);
        faults.remove(FaultKind.INSTANCE_HUNG);
        return faults;
    }

    private static ChaosSettings shortRun(List<Map<String, String>> variants) {
        return new ChaosSettings(seed(SHORT_SEED), SHORT, ofShortRuns(), variants, SHORT.dividedBy(variants.size()));
    }

    private static ChaosSettings longRun(Duration duration, List<Map<String, String>> variants) {
        Duration equal = duration.dividedBy(variants.size());
        return new ChaosSettings(
                seed(SHORT_SEED),
                duration,
                FaultKind.OF_PUBLISHING,
                variants,
                equal.compareTo(LONGEST_SLICE) < 0 ? equal : LONGEST_SLICE);
    }

    /** {@code a=1,b=2;a=3} is two variants. */
    static List<Map<String, String>> parse(String properties) {
        List<Map<String, String>> variants = new ArrayList<>();
        for (String variant : properties.split(";", -1)) {
            Map<String, String> parsed = new LinkedHashMap<>();
            for (String property : variant.split(",", -1)) {
                int equals = property.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("chaos.properties: '%s' is no name=value".formatted(property));
                }
                parsed.put(
                        property.substring(0, equals).strip(),
                        property.substring(equals + 1).strip());
            }
            variants.add(parsed);
        }
        return List.copyOf(variants);
    }
}
