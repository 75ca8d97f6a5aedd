package dev.outbox.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Keeps the plan of every statement that goes through it, as the server executed it and told in a notice. */
final class PlanRecorder extends DelegatingDataSource {

    /** To be run on every connection; {@code auto_explain} is part of PostgreSQL's own distribution. */
    static final String EXPLAIN_EVERYTHING = "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0;"
            + " SET auto_explain.log_analyze = on; SET auto_explain.log_level = notice;"
            + " SET client_min_messages = notice";

    private final List<String> plans = new CopyOnWriteArrayList<>();

    PlanRecorder(DataSource target) {
        super(target);
    }

    /** The plans of the statements that contain a text, oldest first. */
    List<String> plans(String text) {
        return plans.stream().filter(plan -> plan.contains(text)).toList();
    }

    void clear() {
        plans.clear();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, (method, arguments) -> {
            Object result = call(connection, method, arguments);
            if (method.getName().equals("commit") || method.getName().equals("rollback")) {
                keep(connection.getWarnings());
                connection.clearWarnings();
            }
            return result instanceof PreparedStatement statement ? recording(statement) : result;
        });
    }

    private PreparedStatement recording(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (method.getName().equals("close")) {
                keep(statement.getWarnings());
            }
            return call(statement, method, arguments);
        });
    }

    /** The server tells a plan when it is done with it: with the next statement, or at the end of the transaction. */
    private void keep(@Nullable SQLWarning notices) {
        for (SQLWarning notice = notices; notice != null; notice = notice.getNextWarning()) {
            plans.add(String.valueOf(notice.getMessage()));
        }
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                PlanRecorder.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.handle(method, arguments)));
    }

    private interface Call {

        Object handle(Method method, Object[] arguments) throws Throwable;
    }
}
