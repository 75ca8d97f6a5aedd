package dev.outbox.chaos.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InboxFindingsTest {

    private static final String CONSUMER = "c";

    private static final List<SentRecord> SENT = List.of(
            sent(0, "e1", 1, Content.PLAIN, false),
            sent(1, "e2", 2, Content.REFUSED, false),
            sent(2, "e3", 3, Content.PLAIN, false),
            sent(3, "e1", 1, Content.PLAIN, true),
            sent(4, null, 4, Content.WITHOUT_ID, false));

    private static final List<EffectRow> EFFECTS = List.of(effect(1, "e1", 1), effect(2, "e3", 3));
    private static final List<DeadLetter> LETTERS = List.of(letter("e2", 1), letter(null, 4));

    @Test
    void anEffectForEachGoodEventAndADeadLetterForEachPoisonIsClean() {
        InboxFindings findings = findings(EFFECTS, LETTERS);

        assertThat(findings.isClean()).withFailMessage(findings::report).isTrue();
        assertThat(findings.summary(3))
                .isEqualTo("inbox-chaos: events=4 duplicates=1 faults=3 double=0 missing=0 offset-ahead=0 overtaken=0");
    }

    @Test
    void aSecondEffectIsDouble() {
        InboxFindings findings = findings(and(EFFECTS, effect(3, "e1", 1)), LETTERS);

        assertThat(findings.doubled()).hasSize(1);
        assertThat(findings.summary(0)).contains("double=1 missing=0");
        assertThat(findings.report()).contains("2 effects and 0 dead letters of PLAIN event e1");
    }

    @Test
    void anEffectAndADeadLetterOfOneEventAreDouble() {
        InboxFindings findings = findings(EFFECTS, and(LETTERS, letter("e3", 2)));

        assertThat(findings.doubled()).hasSize(1);
        assertThat(findings.misjudged()).hasSize(1);
    }

    @Test
    void aSecondDeadLetterIsDoubleUnlessTheRecordHasNoId() {
        assertThat(findings(EFFECTS, and(LETTERS, letter("e2", 1))).doubled()).hasSize(1);
        assertThat(findings(EFFECTS, and(LETTERS, letter(null, 4))).isClean()).isTrue();
    }

    @Test
    void whatHasNeitherIsMissingAlsoWithoutAnId() {
        assertThat(findings(EFFECTS.subList(0, 1), LETTERS).missing()).hasSize(1);
        assertThat(findings(EFFECTS, LETTERS.subList(0, 1)).missing()).hasSize(1);
        assertThat(findings(EFFECTS, LETTERS.subList(1, 2)).missing()).hasSize(1);
    }

    @Test
    void whatAnotherConsumerDidCountsForNothing() {
        List<EffectRow> others = List.of(new EffectRow(1, "other", "e1", "a", 1), effect(2, "e3", 3));

        assertThat(findings(others, LETTERS).missing()).hasSize(1);
    }

    @Test
    void anOffsetAheadIsAFinding() {
        InboxFindings findings = InboxFindings.of(List.of(CONSUMER), SENT, EFFECTS, LETTERS, List.of("c: e1"));

        assertThat(findings.isClean()).isFalse();
        assertThat(findings.summary(0)).contains("offset-ahead=1");
    }

    @Test
    void theFirstEffectsOfAnAggregateComeInItsOrder() {
        InboxFindings findings = findings(List.of(effect(1, "e3", 3), effect(2, "e1", 1)), LETTERS);

        assertThat(findings.overtaken()).hasSize(1);
        assertThat(findings.isClean()).isFalse();
    }

    @Test
    void aGoodEventAmongTheDeadLettersAndAPoisonWithAnEffectAreMisjudged() {
        assertThat(findings(EFFECTS.subList(0, 1), and(LETTERS, letter("e3", 2)))
                        .misjudged())
                .hasSize(1);
        assertThat(findings(and(EFFECTS, effect(3, "e2", 2)), LETTERS.subList(1, 2))
                        .misjudged())
                .hasSize(1);
        assertThat(findings(and(EFFECTS, effect(3, "unknown", 9)), LETTERS).misjudged())
                .hasSize(1);
    }

    private static InboxFindings findings(List<EffectRow> effects, List<DeadLetter> letters) {
        return InboxFindings.of(List.of(CONSUMER), SENT, effects, letters, List.of());
    }

    private static <T> List<T> and(List<T> list, T more) {
        return Stream.concat(list.stream(), Stream.of(more)).toList();
    }

    private static SentRecord sent(
            long offset, @Nullable String eventId, long version, Content content, boolean repeat) {
        return new SentRecord(0, offset, eventId, "a", version, content, repeat);
    }

    private static EffectRow effect(long seq, String eventId, long version) {
        return new EffectRow(seq, CONSUMER, eventId, "a", version);
    }

    private static DeadLetter letter(@Nullable String eventId, long offset) {
        return new DeadLetter(CONSUMER, eventId, 0, offset);
    }
}
