package dev.outbox.inbox.kafka;

import java.time.Duration;

/** Durations as people read them: the two largest units. */
final class DurationText {

    private DurationText() {}

    static String of(Duration duration) {
        if (duration.toDays() > 0) {
            return duration.toDays() + " d" + rest(duration.toHoursPart(), " h");
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + " h" + rest(duration.toMinutesPart(), " min");
        }
        if (duration.toMinutes() > 0) {
            return duration.toMinutes() + " min" + rest(duration.toSecondsPart(), " s");
        }
        return duration.toSeconds() > 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private static String rest(int number, String unit) {
        return number == 0 ? "" : " " + number + unit;
    }
}
