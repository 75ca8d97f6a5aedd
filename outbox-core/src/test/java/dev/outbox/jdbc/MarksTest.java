package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class MarksTest {

    private final Marks marks = new Marks();

    @Test
    void aReadIsToldByASnapshotThatHasSeenTheEndOfAMarkThatBeganAfterIt() {
        assertThat(marks.readEnded()).isEqualTo(1);
        int before = marks.reads();
        assertThat(marks.readEnded()).isEqualTo(2);
        marks.marked(500, before);

        assertThat(marks.toldBy(snapshot(500))).isZero();
        assertThat(marks.toldBy(snapshot(501))).isEqualTo(1);
        marks.marked(600, marks.reads());
        assertThat(marks.toldBy(snapshot(550))).isEqualTo(1);
        assertThat(marks.toldBy(snapshot(700))).isEqualTo(2);
    }

    @Test
    void readsPostgreSqlsText() {
        assertThat(Snapshot.parse("10:20:10,14,15")).isEqualTo(new Snapshot(20, Set.of(10L, 14L, 15L)));
        assertThat(Snapshot.parse("10:10:")).isEqualTo(new Snapshot(10, Set.of()));
    }

    private static Snapshot snapshot(long end) {
        return new Snapshot(end, Set.of());
    }
}
