package dev.outbox.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

@Entity
@Table(name = "purchase_order")
class PurchaseOrder {

    @Id
    private long id;

    @Version
    private long version;

    private String status = "pending";

    protected PurchaseOrder() {}

    PurchaseOrder(long id) {
        this.id = id;
    }

    void confirm() {
        status = "confirmed";
    }

    boolean isConfirmed() {
        return status.equals("confirmed");
    }

    String id() {
        return Long.toString(id);
    }
}
