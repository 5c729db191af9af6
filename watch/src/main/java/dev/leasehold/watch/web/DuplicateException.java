package dev.leasehold.watch.web;

/** The name is taken. */
public final class DuplicateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DuplicateException(String kind, String name) {
        super("there is a " + kind + " of the name '" + name + "' already: names are unique");
    }
}
