package db.callback;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** Stands where Flyway looks for an application's callbacks; leaves a table behind when it is called. */
public class CallbackOfTheApplication implements Callback {

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS called_back (id bigint)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String getCallbackName() {
        return "application";
    }
}
