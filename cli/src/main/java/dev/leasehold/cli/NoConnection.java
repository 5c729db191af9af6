package dev.leasehold.cli;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** No connection could be made. The message is the line that all commands say: where to, why, and what to see to. */
final class NoConnection extends SQLException {

    private static final long serialVersionUID = 1L;

    private static final String REJECTED = "08004";
    private static final Set<String> MODES_WITH_TLS = Set.of("require", "verify-ca", "verify-full");

    private final ErrorCode code;

    private NoConnection(String line, ErrorCode code, SQLException cause) {
        super(line, cause.getSQLState(), cause);
        this.code = code;
    }

    /** @param advice what to see to; empty if the reason says it */
    private record Reason(ErrorCode code, String why, String advice) {

        private String line(ConnectionSettings settings) {
            return (settings.isGuessed()
                            ? "no --url and no DATABASE_URL given: tried " + settings.place()
                            : "no connection to " + settings.place())
                    + ": " + why + (advice.isEmpty() ? "" : "; " + advice);
        }
    }

    static NoConnection because(SQLException e, ConnectionSettings settings) {
        Throwable root = root(e);
        Reason reason = ofNetwork(root);
        if (reason == null) {
            reason = ofServer(e, root, settings);
        }
        return new NoConnection(reason.line(settings), reason.code(), e);
    }

    /** The one among the causes of an error. */
    static Optional<NoConnection> in(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof NoConnection found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    ErrorCode code() {
        return code;
    }

    private static Throwable root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Where the network is the reason the driver's message is long, and says less than its cause. */
    private static @Nullable Reason ofNetwork(Throwable root) {
        String said = String.valueOf(root.getMessage());
        if (root instanceof UnknownHostException) {
            return new Reason(ErrorCode.UNREACHABLE, "the host " + said + " is not known", "see its name");
        }
        if (root instanceof ConnectException || root instanceof NoRouteToHostException) {
            return new Reason(
                    ErrorCode.UNREACHABLE,
                    said.toLowerCase(Locale.ROOT),
                    "see host and port, and whether the server runs and listens there");
        }
        if (root instanceof SocketTimeoutException) {
            return new Reason(
                    ErrorCode.UNREACHABLE,
                    "no answer in time (" + said.toLowerCase(Locale.ROOT) + ")",
                    "see host and port, and whether a firewall drops what is sent there");
        }
        if (root instanceof CertPathBuilderException || root instanceof CertPathValidatorException) {
            return new Reason(
                    ErrorCode.TLS,
                    "SSL error: the server's certificate can't be verified with the root certificate (sslrootcert, else"
                            + " ~/.postgresql/root.crt)",
                    "");
        }
        return null;
    }

    private static Reason ofServer(SQLException e, Throwable root, ConnectionSettings settings) {
        String state = String.valueOf(e.getSQLState());
        String said = String.valueOf(e.getMessage());
        String ofRoot = String.valueOf(root.getMessage());
        String why = said.contains(ofRoot) ? said : said + " (" + ofRoot + ")";
        String mode = settings.properties().getProperty("sslmode", "prefer");
        if (state.equals(REJECTED) && MODES_WITH_TLS.contains(mode) && said.contains("SSL")) {
            return new Reason(
                    ErrorCode.TLS,
                    "the server has no TLS, and sslmode=" + mode + " asks for it",
                    "sslmode=prefer takes TLS where there is some, sslmode=disable does without");
        }
        if (state.equals(REJECTED) && !settings.properties().containsKey("password")) {
            return new Reason(ErrorCode.AUTHENTICATION, why, "it may be in ~/.pgpass, PGPASSWORD or the URL");
        }
        return new Reason(ErrorCode.ofSqlState(state), why, advice(state));
    }

    private static String advice(String state) {
        return switch (state) {
            case "28P01" -> "see the role, and its password in ~/.pgpass, PGPASSWORD or the URL";
            case "28000" -> "see the role, and pg_hba.conf of the server";
            case "3D000" -> "see the name of the database";
            case "53300" ->
                "the connections of the server, the database or the role are used up:"
                        + " superuser_reserved_connections, and reserved_connections since PostgreSQL 16, keep some for those"
                        + " who look and repair: look again as a superuser, or as a role with pg_use_reserved_connections";
            case "57P03" -> "the server starts, stops or recovers: try again in a moment";
            case "08P01" -> "no PostgreSQL server answers there, or a pooler that refuses: see host and port";
            case "08001" -> "see host and port, and whether the server runs";
            default -> "";
        };
    }
}
