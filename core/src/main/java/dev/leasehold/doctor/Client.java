package dev.leasehold.doctor;

/**
 * Who opened connections: they may be those of one pool, of several pools of one application, or of several instances behind
 * one address.
 *
 * @param address empty if it is hidden from this role
 */
record Client(String address, String application, String role, String database) {

    static final String LOCAL = "local";

    boolean isLocal() {
        return address.equals(LOCAL);
    }

    String addressOrHidden() {
        return address.isEmpty() ? Session.HIDDEN : address;
    }

    String words() {
        return (application.isEmpty() ? "no application name" : application) + ", " + addressOrHidden() + ", user "
                + role + ", database " + database;
    }
}
