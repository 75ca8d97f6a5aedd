package dev.outbox.autoconfigure;

import dev.outbox.postgresql.SchemaPreparation;
import javax.sql.DataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Prepares the tables of a module when the context starts, before anything uses them; or, while the database is out of
 * reach, beside it.
 */
class SchemaInitializer implements InitializingBean, ApplicationListener<ContextRefreshedEvent>, DisposableBean {

    private final SchemaPreparation preparation;
    private final DataSource dataSource;

    SchemaInitializer(SchemaPreparation preparation, DataSource dataSource) {
        this.preparation = preparation;
        this.dataSource = dataSource;
    }

    SchemaPreparation preparation() {
        return preparation;
    }

    @Override
    public void afterPropertiesSet() {
        preparation.start();
    }

    /** Not before, because a start that waited for connections would take long. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (!preparation.isReady()) {
            HikariPool.openWithoutConnection(dataSource);
        }
    }

    @Override
    public void destroy() {
        preparation.close();
    }
}
