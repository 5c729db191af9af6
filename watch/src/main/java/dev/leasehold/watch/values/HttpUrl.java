package dev.leasehold.watch.values;

import java.net.URI;
import java.net.URISyntaxException;

/** An absolute http or https URL with a host and without user information. */
public final class HttpUrl {

    private static final int MAX_LENGTH = 2000;

    private HttpUrl() {}

    /** The URL, or an {@link InvalidValueException} that names {@code field}. */
    public static URI parse(String field, String text) {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidValueException(field, text, "must have at most " + MAX_LENGTH + " characters");
        }
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new InvalidValueException(field, text, "must be a URL (" + e.getReason() + ")");
        }
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getRawAuthority() == null) {
            throw new InvalidValueException(field, text, "must begin with http:// or https:// and name a host");
        }
        if (url.getRawAuthority().contains("@")) {
            throw new InvalidValueException(field, "(not shown)", "must not carry a user or a password");
        }
        if (url.getHost() == null) {
            throw new InvalidValueException(
                    field, text, "must name a host (letters, digits, hyphens and dots; other letters as xn--...)");
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            throw new InvalidValueException(field, text, "must have a port from 1 to 65535");
        }
        if (url.getRawFragment() != null) {
            throw new InvalidValueException(field, text, "must not have a fragment (#...): no server sees it");
        }
        return url;
    }
}
