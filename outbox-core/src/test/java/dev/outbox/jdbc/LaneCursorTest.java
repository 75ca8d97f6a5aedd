package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LaneCursorTest {

    private static final int NONE = 0;

    private final LaneCursor cursor = new LaneCursor(7, 100);

    @Test
    void beginsAtTheFloor() {
        assertThat(cursor.start()).isEqualTo(100);
        assertThat(cursor.floor()).isEqualTo(100);
        assertThat(cursor.running()).isEmpty();
    }

    @Test
    void goesBackBehindAReadUntilALaterSnapshotTellsAllTransactionsOfItsTime() {
        cursor.advance(150, new Snapshot(1_000, Set.of()), 1);
        cursor.advance(200, new Snapshot(1_005, Set.of()), 2);
        assertThat(cursor.position()).isEqualTo(200);
        assertThat(cursor.start()).isEqualTo(100);

        cursor.settle(new Snapshot(1_010, Set.of()), 1);
        assertThat(cursor.start()).isEqualTo(150);
        cursor.settle(new Snapshot(1_020, Set.of()), 2);
        assertThat(cursor.start()).isEqualTo(200);
        assertThat(cursor.floor()).isEqualTo(200);
    }

    @Test
    void remembersWhoWasRunningAndHowFarBackThatMayReach() {
        cursor.advance(150, new Snapshot(1_000, Set.of(990L)), 1);
        cursor.advance(200, new Snapshot(1_005, Set.of(990L, 1_001L)), 2);

        assertThat(cursor.running()).containsOnly(entry(990L, 100L), entry(1_001L, 150L));
        assertThat(cursor.floor()).isEqualTo(100);
    }

    @Test
    void aTransactionThatTheSnapshotOfItsTimeDidNotTellReachesBackToWhereThatReadBegan() {
        cursor.advance(150, new Snapshot(1_000, Set.of()), 1);
        cursor.settle(new Snapshot(1_010, Set.of(1_004L, 990L)), 1);

        assertThat(cursor.running()).containsOnly(entry(1_004L, 100L));
        assertThat(cursor.start()).isEqualTo(150);
        assertThat(cursor.floor()).isEqualTo(100);
    }

    @Test
    void anEndedTransactionIsForgottenOnceItsWritesWereRead() {
        cursor.advance(150, new Snapshot(1_000, Set.of(990L, 991L)), 1);
        cursor.settle(new Snapshot(1_010, Set.of(991L)), 1);
        assertThat(cursor.running()).containsOnlyKeys(991L);
        assertThat(cursor.floor()).isEqualTo(100);

        cursor.settle(new Snapshot(1_010, Set.of()), 1);
        assertThat(cursor.floor()).isEqualTo(150);
    }

    @Test
    void aReadThatMadeNoProgressAddsNoDoubt() {
        cursor.advance(90, new Snapshot(1_000, Set.of(990L)), 1);
        assertThat(cursor.position()).isEqualTo(100);
        assertThat(cursor.running()).isEmpty();

        cursor.settle(new Snapshot(1_000, Set.of(990L)), NONE);
        assertThat(cursor.start()).isEqualTo(100);
    }
}
