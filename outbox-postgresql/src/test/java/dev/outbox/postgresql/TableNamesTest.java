package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {

    @Test
    void qualifiesAndQuotesEveryTable() {
        TableNames names = new TableNames("Ordering", "My_");

        assertThat(names.qualified("event")).isEqualTo("\"Ordering\".\"My_event\"");
        assertThat(names.unqualified("event")).isEqualTo("My_event");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a b", "a.b", "a\"b", "a'b", "a;b", "ä", "a\n", "$x"})
    void refusesWhatIsNoPlainIdentifier(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableNames(text, "outbox_"))
                .withMessageStartingWith("The schema (" + text.length() + " characters)")
                .withMessageContaining("at most 63 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableNames("public", text))
                .withMessageStartingWith("The table prefix (" + text.length() + " characters)")
                .withMessageContaining("at most 40 characters");
    }

    @Test
    void takesNamesUpToTheirLimits() {
        assertThat(new TableNames("s".repeat(63), "p".repeat(40)).schema()).hasSize(63);
        assertThatIllegalArgumentException().isThrownBy(() -> new TableNames("s".repeat(64), "p"));
        assertThatIllegalArgumentException().isThrownBy(() -> new TableNames("s", "p".repeat(41)));
    }
}
