package dev.leasehold.watch.start;

/** The database's URL as it may be shown: without parameters and without what stands before the host. */
final class DatabaseUrl {

    static final String PROPERTY = "spring.datasource.url";

    private DatabaseUrl() {}

    static String shown(String url) {
        int parameters = url.indexOf('?');
        if (parameters >= 0 && url.indexOf('@', parameters) >= 0) {
            // a password may hold the question mark, or a parameter the at sign
            return url.replaceFirst("//.*", "//(not shown)");
        }
        String shown = parameters < 0 ? url : url.substring(0, parameters);
        return shown.replaceFirst("//.*@", "//");
    }
}
