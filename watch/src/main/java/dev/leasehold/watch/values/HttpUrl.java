package dev.leasehold.watch.values;

import java.net.URI;
import java.net.URISyntaxException;

/** An absolute http or https URL with a host and without user information. */
public final class HttpUrl {

    private static final int MAX_LENGTH = 2000;
    private static final String NOT_SHOWN = "(not shown)";

    private HttpUrl() {}

    /** The URL, or an {@link InvalidValueException} that names {@code field}. */
    public static URI parse(String field, String text) {
        return parse(field, text, text);
    }

    /** As {@link #parse(String, String)}; the exception does not repeat the text: whoever knows it may use it. */
    public static URI parseSecret(String field, String text) {
        return parse(field, text, NOT_SHOWN);
    }

    private static URI parse(String field, String text, String shown) {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidValueException(field, shown, "must have at most " + MAX_LENGTH + " characters");
        }
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new InvalidValueException(field, shown, "must be a URL (" + e.getReason() + ")");
        }
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getRawAuthority() == null) {
            throw new InvalidValueException(field, shown, "must begin with http:// or https:// and name a host");
        }
        if (url.getRawAuthority().contains("@")) {
            throw new InvalidValueException(field, NOT_SHOWN, "must not carry a user or a password");
        }
        if (url.getHost() == null) {
            throw new InvalidValueException(
                    field, shown, "must name a host (letters, digits, hyphens and dots; other letters as xn--...)");
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            throw new InvalidValueException(field, shown, "must have a port from 1 to 65535");
        }
        if (url.getRawFragment() != null) {
            throw new InvalidValueException(field, shown, "must not have a fragment (#...): no server sees it");
        }
        return url;
    }
}
