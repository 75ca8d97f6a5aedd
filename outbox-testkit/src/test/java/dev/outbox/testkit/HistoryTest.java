package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final List<CommittedEvent> COMMITTED = List.of(
            new CommittedEvent("a1", "a", 1),
            new CommittedEvent("a2", "a", 2),
            new CommittedEvent("a3", "a", 3),
            new CommittedEvent("b1", "b", 1));

    @Test
    void everyEventOnceInOrderIsClean() {
        History history = history("a1", "b1", "a2", "a3");

        assertThat(history.assertClean().summary())
                .isEqualTo("history: committed=4 published=4 lost=0 phantom=0 overtaken=0 repeats=0");
    }

    @Test
    void theOrderOfTheGivenRecordsDoesNotMatterButTheirOffsetsDo() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(records("a1", "b1", "a2", "a3"));
        Collections.reverse(records);

        assertThat(history(records).isClean()).isTrue();
    }

    @Test
    void repeatsAreCountedAndNoFaultEvenWhenTheyComeAfterLaterEvents() {
        History history = history("a1", "a2", "a1", "b1", "a3", "a2", "a3");

        assertThat(history.isClean()).isTrue();
        assertThat(history.repeats()).isEqualTo(3);
        assertThat(history.published()).isEqualTo(4);
    }

    @Test
    void aMissingEventIsLost() {
        History history = history("a1", "a2", "b1");

        assertThat(history.lost()).singleElement().asString().contains("a3");
        assertThat(history.overtaken()).isEmpty();
        assertThat(history.summary()).contains("committed=4 published=3 lost=1");
        assertThatThrownBy(history::assertClean).isInstanceOf(AssertionError.class);
    }

    @Test
    void aLaterEventThatIsThereWithoutAnEarlierOneHasOvertakenIt() {
        History history = history("a1", "a3", "b1");

        assertThat(history.lost()).singleElement().asString().contains("a2");
        assertThat(history.overtaken()).singleElement().asString().contains("a2", "never delivered", "a3");
    }

    @Test
    void anEventThatWasNeverCommittedIsAPhantom() {
        History history = history("a1", "a2", "rolled-back", "a3", "b1");

        assertThat(history.phantom()).singleElement().asString().contains("rolled-back", "orders-0 offset 2");
        assertThatThrownBy(history::assertClean).hasMessageContaining("phantom=1");
    }

    @Test
    void aRecordWithoutAnEventIdIsAPhantom() {
        assertThat(history("a1", "a2", "", "a3", "b1").phantom())
                .singleElement()
                .asString()
                .contains("without an event id");
    }

    @Test
    void anEventDeliveredAfterALaterOneIsOvertaken() {
        History history = history("a2", "a1", "a3", "b1");

        assertThat(history.overtaken()).singleElement().asString().contains("event a1", "after event a2");
        assertThatThrownBy(history::assertClean).hasMessageContaining("overtaken=1");
    }

    @Test
    void everyOvertakenEventCountsOnce() {
        assertThat(history("a3", "a2", "a1", "b1").overtaken()).hasSize(2);
        assertThat(history("a3", "a1", "a2", "b1").overtaken()).hasSize(2);
    }

    @Test
    void aRepeatDoesNotHideThatTheFirstDeliveryWasLate() {
        assertThat(history("a2", "a1", "a2", "a3", "b1").overtaken()).hasSize(1);
    }

    @Test
    void aggregatesDoNotOvertakeEachOther() {
        assertThat(history("b1", "a1", "a2", "a3").isClean()).isTrue();
        assertThat(history("a1", "a2", "a3", "b1").isClean()).isTrue();
    }

    @Test
    void anAggregateInTwoPartitionsIsMisplaced() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(records("a1", "a2", "b1"));
        records.add(record(1, 0, "a3"));

        History history = history(records);

        assertThat(history.misplaced()).singleElement().asString().contains("a3", "orders-1 offset 0", "orders-0");
        assertThat(history.summary()).endsWith("misplaced=1");
        assertThatThrownBy(history::assertClean).isInstanceOf(AssertionError.class);
    }

    @Test
    void anEventUnderAForeignAggregateIsMisplaced() {
        History history = History.of(COMMITTED, records("a1", "a2", "a3", "b1"), HistoryTest::eventId, record -> "a");

        assertThat(history.misplaced()).singleElement().asString().contains("b1", "under aggregate a");
    }

    @Test
    void theReportNamesAtMostTenExamplesOfAKind() {
        List<CommittedEvent> many = IntStream.range(0, 25)
                .mapToObj(i -> new CommittedEvent("e" + i, "many", i))
                .toList();

        String report = History.of(many, List.of(), HistoryTest::eventId, HistoryTest::aggregate)
                .report();

        assertThat(report.lines().filter(line -> line.contains("lost: event"))).hasSize(10);
        assertThat(report)
                .startsWith("history: committed=25 published=0 lost=25")
                .contains("and 15 more");
    }

    @Test
    void committedEventsThatContradictEachOtherAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> History.of(
                        List.of(new CommittedEvent("x", "a", 1), new CommittedEvent("x", "a", 2)),
                        List.of(),
                        HistoryTest::eventId,
                        HistoryTest::aggregate))
                .withMessageContaining("id x");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> History.of(
                        List.of(new CommittedEvent("x", "a", 1), new CommittedEvent("y", "a", 1)),
                        List.of(),
                        HistoryTest::eventId,
                        HistoryTest::aggregate))
                .withMessageContaining("order 1");
    }

    private static History history(String... ids) {
        return history(records(ids));
    }

    private static History history(List<ConsumerRecord<byte[], byte[]>> records) {
        return History.of(COMMITTED, records, HistoryTest::eventId, HistoryTest::aggregate);
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(String... ids) {
        return IntStream.range(0, ids.length)
                .mapToObj(offset -> record(0, offset, ids[offset]))
                .toList();
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, String id) {
        return new ConsumerRecord<>(
                "orders", partition, offset, bytes(id.isEmpty() ? "" : id.substring(0, 1)), bytes(id));
    }

    private static @Nullable String eventId(ConsumerRecord<byte[], byte[]> record) {
        return record.value().length == 0 ? null : new String(record.value(), StandardCharsets.UTF_8);
    }

    private static String aggregate(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
