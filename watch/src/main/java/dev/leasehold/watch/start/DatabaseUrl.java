package dev.leasehold.watch.start;

/** The database's URL as it may be shown: without parameters and without what stands before the host. */
final class DatabaseUrl {

    static final String PROPERTY = "spring.datasource.url";

    private DatabaseUrl() {}

    static String shown(String url) {
        int parameters = url.indexOf('?');
        String shown = parameters < 0 ? url : url.substring(0, parameters);
        return shown.replaceFirst("//[^/]*@", "//");
    }
}
