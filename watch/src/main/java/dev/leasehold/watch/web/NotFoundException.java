package dev.leasehold.watch.web;

/** Nothing of this name or id is stored. */
public final class NotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotFoundException(String kind, String nameOrId) {
        super("there is no " + kind + " of the name or id '" + nameOrId + "'");
    }
}
