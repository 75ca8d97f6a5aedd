package dev.outbox.jdbc;

import dev.outbox.Decision;
import dev.outbox.Pause;
import dev.outbox.postgresql.TableNames;
import java.time.OffsetDateTime;
import java.util.List;

/** What operators have stopped. The row is the pause; relays read it. */
final class Pauses {

    /** Stands for the relay as a whole. */
    static final String WHOLE_RELAY = "";

    private static final String PAUSE = """
            INSERT INTO %1$s (topic, actor, reason) VALUES (:topic, :actor, :reason) ON CONFLICT (topic) DO NOTHING
            """;

    private static final String RESUME = "DELETE FROM %1$s WHERE topic = :topic";

    private static final String LIST = "SELECT topic, paused_at, actor, reason FROM %1$s ORDER BY topic";

    private final OperatorTransactions transactions;
    private final AuditTrail audit;
    private final String pause;
    private final String resume;
    private final String list;

    Pauses(OperatorTransactions transactions, AuditTrail audit, TableNames names) {
        this.transactions = transactions;
        this.audit = audit;
        this.pause = PAUSE.formatted(names.qualified("pause"));
        this.resume = RESUME.formatted(names.qualified("pause"));
        this.list = LIST.formatted(names.qualified("pause"));
    }

    boolean pause(String topic, Decision decision) {
        return transactions.write(() -> {
            int paused = transactions
                    .jdbc()
                    .sql(pause)
                    .param("topic", topic)
                    .param("actor", decision.actor())
                    .param("reason", decision.reason())
                    .update();
            return audited("pause", topic, decision, paused);
        });
    }

    boolean resume(String topic, Decision decision) {
        return transactions.write(() -> {
            int resumed = transactions.jdbc().sql(resume).param("topic", topic).update();
            return audited("resume", topic, decision, resumed);
        });
    }

    private boolean audited(String action, String topic, Decision decision, int changed) {
        if (changed > 0) {
            audit.decidedOnTopic(action, topic, decision);
        }
        return changed > 0;
    }

    List<Pause> list() {
        return transactions.read(() -> transactions
                .jdbc()
                .sql(list)
                .query((row, number) -> new Pause(
                        row.getString("topic"),
                        row.getObject("paused_at", OffsetDateTime.class).toInstant(),
                        row.getString("actor"),
                        row.getString("reason")))
                .list());
    }
}
