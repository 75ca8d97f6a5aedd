package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.inbox.PermanentEventException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassifierChainTest {

    @Test
    void theApplicationsClassifiersAreAskedInOrderAndTheBuiltInOneLast() {
        ClassifierChain chain = new ClassifierChain(List.of(
                failure -> null,
                failure -> failure instanceof IllegalStateException ? FailureKind.TRANSIENT : null,
                failure -> failure instanceof RuntimeException ? FailureKind.UNKNOWN : null));

        assertThat(chain.classify(new IllegalStateException())).isEqualTo(FailureKind.TRANSIENT);
        assertThat(chain.classify(new PermanentEventException("x"))).isEqualTo(FailureKind.UNKNOWN);
        assertThat(chain.classify(new SQLException("x", "40001"))).isEqualTo(FailureKind.TRANSIENT);
        assertThat(chain.classify(new Exception("x"))).isEqualTo(FailureKind.UNKNOWN);
    }

    @Test
    void oneThatThrowsDoesNotKnow() {
        ClassifierChain chain = new ClassifierChain(List.of(failure -> {
            throw new IllegalArgumentException();
        }));

        assertThat(chain.classify(new PermanentEventException("x"))).isEqualTo(FailureKind.PERMANENT);
    }

    @Test
    void listedTypesCountWithTheirSubclassesTheMoreSpecialAndTheOuterFirst() {
        FailureClassifier listed = FailureClassifier.byType(
                List.of(IOException.class), List.of(FileNotFoundException.class, IllegalStateException.class));

        assertThat(listed.classify(new UncheckedIOException(new IOException()))).isEqualTo(FailureKind.TRANSIENT);
        assertThat(listed.classify(new EOFException())).isEqualTo(FailureKind.TRANSIENT);
        assertThat(listed.classify(new UncheckedIOException(new FileNotFoundException())))
                .isEqualTo(FailureKind.PERMANENT);
        assertThat(listed.classify(new IllegalStateException(new IOException())))
                .isEqualTo(FailureKind.PERMANENT);
        assertThat(listed.classify(new RuntimeException())).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FailureClassifier.byType(List.of(IOException.class), List.of(IOException.class)))
                .withMessageContaining("java.io.IOException is listed as transient and as permanent");
    }
}
