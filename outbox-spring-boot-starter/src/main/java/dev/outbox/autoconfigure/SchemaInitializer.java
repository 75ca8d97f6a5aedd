package dev.outbox.autoconfigure;

import dev.outbox.postgresql.SchemaPreparation;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/** Prepares the tables of a module when the context starts, before anything uses them; or begins to, see there. */
class SchemaInitializer implements InitializingBean, DisposableBean {

    private final SchemaPreparation preparation;

    SchemaInitializer(SchemaPreparation preparation) {
        this.preparation = preparation;
    }

    SchemaPreparation preparation() {
        return preparation;
    }

    @Override
    public void afterPropertiesSet() {
        preparation.start();
    }

    @Override
    public void destroy() {
        preparation.close();
    }
}
