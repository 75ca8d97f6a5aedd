package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTest {

    private static final UUID ID = UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91");

    private final EventIds uuids = EventIds.uuids();
    private final EventIds derived = EventIds.derived("shop");

    @Test
    void aUuidAsTextIsReadInEitherCase() {
        assertThat(uuids.read(ID.toString(), "The header id")).isEqualTo(ID);
        assertThat(uuids.read("0190163D-8694-739B-AEA5-966C26F8AD91", "The header id"))
                .isEqualTo(ID);
        assertThat(derived.read("0190163D-8694-739B-AEA5-966C26F8AD91", "The header id"))
                .isEqualTo(ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "42", "1-1-1-1-1", "0190163d8694739baea5966c26f8ad91", "x190163d-8694-739b-aea5-966c26f8ad91"
            })
    void anythingElseIsUnusableAndNotQuoted(String text) {
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> uuids.read(text, "The header id"))
                .withMessage("The header id (" + text.length() + " bytes) is not a UUID as text");
    }

    /** These values stand in inbox tables: when they change, every known event is a new one. */
    @Test
    void aDerivedIdNeverChanges() {
        UUID number = derived.read("42", "The header id");

        assertThat(number).isEqualTo(UUID.fromString("94ab2312-4c6a-5f52-8690-19e6e5869658"));
        assertThat(number.version()).isEqualTo(5);
        assertThat(derived.read("01J9ZQ3V5Y8K7W2M4N6P8R0T1B", "The header id")).isNotEqualTo(number);
        assertThat(EventIds.derived("warehouse").read("42", "The header id")).isNotEqualTo(number);
    }

    @Test
    void nothingIsDerivedFromNothing() {
        assertThatExceptionOfType(UnusableRecordException.class).isThrownBy(() -> derived.read(" ", "The header id"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventIds.derived(" "))
                .withMessageContaining("namespace of event ids must not be blank");
    }
}
