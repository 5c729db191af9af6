package dev.leasehold.watch.web;

import dev.leasehold.watch.WatchProperties;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps other web pages in the operator's browser away from a service that listens on loopback and knows no sign-in.
 *
 * <p>A name that a foreign page made to point here (DNS rebinding) is refused by its Host header. A request that changes
 * something must not come from another origin, by Sec-Fetch-Site (Fetch Metadata Request Headers) and Origin (RFC 6454), and its
 * body must be JSON: a browser asks (OPTIONS) before it sends that across origins, and no answer allows it. Programs send
 * neither header and are let through.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class LocalRequestsOnly extends OncePerRequestFilter {

    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1])(:\\d{1,5})?");

    private static final Map<String, String> DEFAULT_PORTS = Map.of("http", ":80", "https", ":443");

    private final @Nullable URI advertisedUrl;

    LocalRequestsOnly(WatchProperties properties) {
        this.advertisedUrl = properties.advertisedUrl();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Refusal refusal = refusal(request);
        if (refusal == null) {
            chain.doFilter(request, response);
        } else {
            refusal.send(response);
        }
    }

    private @Nullable Refusal refusal(HttpServletRequest request) {
        String host = request.getHeader("Host");
        // HTTP/1.0 may leave it out, a browser never does
        if (host != null && !isOwn(host.toLowerCase(Locale.ROOT))) {
            return new Refusal(403, "Host is not this machine's: ask by a loopback name or by the advertised URL");
        }
        if (SAFE_METHODS.contains(request.getMethod())) {
            return null;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN_SITE.contains(site)) {
            return new Refusal(403, "Sec-Fetch-Site is not same-origin: other pages may not change anything here");
        }
        String origin = request.getHeader("Origin");
        if (origin != null && (host == null || !(isOrigin(origin, "http", host) || isOrigin(origin, "https", host)))) {
            return new Refusal(403, "Origin is not this one: other pages may not change anything here");
        }
        if (!isJson(request)) {
            return new Refusal(415, "Content-Type must be application/json");
        }
        return null;
    }

    private boolean isOwn(String host) {
        return LOOPBACK.matcher(host).matches() || (advertisedUrl != null && isHostOf(advertisedUrl, host));
    }

    private static boolean isHostOf(URI url, String host) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        return withoutDefaultPort(scheme, url.getRawAuthority()).equals(withoutDefaultPort(scheme, host));
    }

    private static boolean isOrigin(String origin, String scheme, String host) {
        return origin.equalsIgnoreCase(scheme + "://" + withoutDefaultPort(scheme, host));
    }

    private static String withoutDefaultPort(String scheme, String host) {
        String port = DEFAULT_PORTS.getOrDefault(scheme, "");
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(port) ? lower.substring(0, lower.length() - port.length()) : lower;
    }

    private static boolean isJson(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null) {
            // a DELETE without a body needs no type, and a browser asks before any DELETE across origins
            return request.getMethod().equals("DELETE");
        }
        String withoutParameters = type.split(";", 2)[0].trim();
        return withoutParameters.equalsIgnoreCase(MediaType.APPLICATION_JSON_VALUE);
    }

    private record Refusal(int status, String detail) {

        /** Every text here is our own and needs no escaping. */
        void send(HttpServletResponse response) throws IOException {
            response.setStatus(status);
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.getWriter().write("{\"status\":" + status + ",\"detail\":\"" + detail + "\"}");
        }
    }
}
