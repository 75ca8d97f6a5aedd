package dev.outbox.inbox.kafka;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** An exception and its causes, from the outside in. */
final class CauseChain {

    private static final int MAX_DEPTH = 50;

    private CauseChain() {}

    static List<Throwable> of(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure; cause != null && chain.size() < MAX_DEPTH; cause = cause.getCause()) {
            chain.add(cause);
            if (cause instanceof SQLException sql && sql.getNextException() != null) {
                chain.add(sql.getNextException());
            }
        }
        return chain;
    }
}
