package dev.leasehold.cli;

import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens a new connection each time. What goes wrong then is told with the place. */
record DriverDataSource(ConnectionSettings settings) implements DataSource {

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return DriverManager.getConnection(settings.jdbcUrl(), settings.properties());
        } catch (SQLException e) {
            throw new SQLException("no connection to " + settings.place() + ": " + reason(e), e.getSQLState(), e);
        }
    }

    /** In short where the network is the reason; the driver's message says little about some failures whose cause says it. */
    private static String reason(SQLException e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof UnknownHostException) {
            return "the host " + root.getMessage() + " is not known";
        }
        if (root instanceof ConnectException || root instanceof NoRouteToHostException) {
            return String.valueOf(root.getMessage()).toLowerCase(Locale.ROOT);
        }
        if (root instanceof SocketTimeoutException) {
            return "no answer in time (" + String.valueOf(root.getMessage()).toLowerCase(Locale.ROOT) + ")";
        }
        if (root instanceof CertPathBuilderException || root instanceof CertPathValidatorException) {
            return "SSL error: the server's certificate can't be verified with the root certificate (sslrootcert, else"
                    + " ~/.postgresql/root.crt)";
        }
        String said = String.valueOf(e.getMessage());
        String ofRoot = String.valueOf(root.getMessage());
        return said.contains(ofRoot) ? said : said + " (" + ofRoot + ")";
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("another user");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("log writer");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("login timeout");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("parent logger");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps no " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
