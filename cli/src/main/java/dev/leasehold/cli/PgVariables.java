package dev.leasehold.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The environment variables that libpq knows, as parameters.
 *
 * @see <a href="https://www.postgresql.org/docs/current/libpq-envars.html">environment variables</a>
 */
final class PgVariables {

    private static final Map<String, String> PARAMETERS = Map.ofEntries(
            Map.entry("PGHOST", "host"),
            Map.entry("PGHOSTADDR", "hostaddr"),
            Map.entry("PGPORT", "port"),
            Map.entry("PGDATABASE", "dbname"),
            Map.entry("PGUSER", "user"),
            Map.entry("PGPASSWORD", "password"),
            Map.entry("PGPASSFILE", "passfile"),
            Map.entry("PGSERVICE", "service"),
            Map.entry("PGOPTIONS", "options"),
            Map.entry("PGAPPNAME", "application_name"),
            Map.entry("PGCONNECT_TIMEOUT", "connect_timeout"),
            Map.entry("PGTARGETSESSIONATTRS", "target_session_attrs"),
            Map.entry("PGLOADBALANCEHOSTS", "load_balance_hosts"),
            Map.entry("PGREQUIREAUTH", "require_auth"),
            Map.entry("PGCHANNELBINDING", "channel_binding"),
            Map.entry("PGSSLMODE", "sslmode"),
            Map.entry("PGSSLNEGOTIATION", "sslnegotiation"),
            Map.entry("PGSSLCERT", "sslcert"),
            Map.entry("PGSSLKEY", "sslkey"),
            Map.entry("PGSSLCERTMODE", "sslcertmode"),
            Map.entry("PGSSLROOTCERT", "sslrootcert"),
            Map.entry("PGSSLCRL", "sslcrl"),
            Map.entry("PGSSLCRLDIR", "sslcrldir"),
            Map.entry("PGSSLSNI", "sslsni"),
            Map.entry("PGSSLMINPROTOCOLVERSION", "ssl_min_protocol_version"),
            Map.entry("PGSSLMAXPROTOCOLVERSION", "ssl_max_protocol_version"),
            Map.entry("PGGSSENCMODE", "gssencmode"),
            Map.entry("PGKRBSRVNAME", "krbsrvname"),
            Map.entry("PGGSSLIB", "gsslib"));

    private PgVariables() {}

    /** What is set of them; the names are the parameters'. */
    static Map<String, String> parameters(Surroundings surroundings) {
        var parameters = new LinkedHashMap<String, String>();
        PARAMETERS.forEach((variable, parameter) ->
                surroundings.variable(variable).ifPresent(value -> parameters.put(parameter, value)));
        return parameters;
    }
}
