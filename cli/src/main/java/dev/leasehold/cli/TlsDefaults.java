package dev.leasehold.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What libpq does about certificates and the driver does otherwise. */
final class TlsDefaults {

    private TlsDefaults() {}

    static void add(Map<String, String> parameters, Path home, boolean isJdbc) {
        if ("system".equals(parameters.get("sslrootcert"))) {
            parameters.remove("sslrootcert");
            String mode = parameters.getOrDefault("sslmode", "verify-full");
            if (!mode.equals("verify-full")) {
                throw CommandFailure.usage("sslrootcert=system goes with sslmode=verify-full only");
            }
            parameters.put("sslmode", mode);
            parameters.put("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
            return;
        }
        Path folder = home.resolve(".postgresql");
        addIfThere(parameters, "sslrootcert", folder.resolve("root.crt"));
        addClient(parameters, folder);
        if (!isJdbc) {
            if ("true".equals(parameters.get("ssl"))) {
                parameters.putIfAbsent("sslmode", "require");
                parameters.remove("ssl");
            }
            if ("require".equals(parameters.get("sslmode")) && parameters.containsKey("sslrootcert")) {
                parameters.put("sslmode", "verify-ca");
            }
        }
    }

    /** The driver looks for postgresql.pk8 only. */
    private static void addClient(Map<String, String> parameters, Path folder) {
        Path certificate = folder.resolve("postgresql.crt");
        Path key = folder.resolve("postgresql.key");
        boolean isNamed = parameters.containsKey("sslcert") || parameters.containsKey("sslkey");
        if (!isNamed && Files.exists(certificate) && Files.exists(key)) {
            parameters.put("sslcert", certificate.toString());
            parameters.put("sslkey", key.toString());
        }
        if (parameters.containsKey("sslkey") && !parameters.containsKey("pemKeyAlgorithm")) {
            ClientKey.algorithm(parameters.getOrDefault("sslkey", ""))
                    .ifPresent(algorithm -> parameters.put("pemKeyAlgorithm", algorithm));
        }
    }

    private static void addIfThere(Map<String, String> parameters, String name, Path file) {
        if (Files.exists(file)) {
            parameters.putIfAbsent(name, file.toString());
        }
    }
}
