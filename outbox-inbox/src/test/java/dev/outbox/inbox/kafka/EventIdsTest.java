package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTest {

    private static final UUID ID = UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91");

    private final EventIds eventIds = new EventIds("ce_id");

    @Test
    void aUuidAsTextIsReadInEitherCase() {
        assertThat(eventIds.require(TestRecords.record(Map.of("ce_id", ID.toString()))))
                .isEqualTo(ID);
        assertThat(eventIds.require(TestRecords.record(Map.of("ce_id", "0190163D-8694-739B-AEA5-966C26F8AD91"))))
                .isEqualTo(ID);
    }

    @Test
    void theLastOfSeveralHeadersCounts() {
        ConsumerRecord<?, ?> record =
                TestRecords.record(Map.of("ce_id", UUID.randomUUID().toString()));
        record.headers().add("ce_id", ID.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(eventIds.require(record)).isEqualTo(ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "42", "1-1-1-1-1", "0190163d8694739baea5966c26f8ad91", "x190163d-8694-739b-aea5-966c26f8ad91"
            })
    void anythingElseIsUnusableAndNotQuoted(String text) {
        ConsumerRecord<?, ?> record = TestRecords.record(Map.of("ce_id", text));

        assertThat(eventIds.find(record)).isNull();
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> eventIds.require(record))
                .withMessage("The header ce_id (" + text.length() + " bytes) is not a UUID as text");
    }

    @Test
    void aMissingOrNullHeaderIsUnusable() {
        ConsumerRecord<?, ?> record = TestRecords.record(Map.of());
        assertThat(eventIds.find(record)).isNull();
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> eventIds.require(record))
                .withMessageContaining("no header ce_id");

        record.headers().add("ce_id", null);
        assertThatExceptionOfType(UnusableRecordException.class).isThrownBy(() -> eventIds.require(record));
    }
}
