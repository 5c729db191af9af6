package dev.leasehold.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The key of a client's certificate, as a PEM file. The driver takes it for one of RSA unless it is told otherwise. */
final class ClientKey {

    private static final Pattern PEM = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private ClientKey() {}

    /** By its name for Java; empty if the file can't be read, is encrypted, or of another kind: the driver tells that. */
    static Optional<String> algorithm(String file) {
        try {
            Matcher pem = PEM.matcher(Files.readString(Path.of(file), StandardCharsets.ISO_8859_1));
            if (!pem.find()) {
                return Optional.empty();
            }
            var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
            return ALGORITHMS.stream()
                    .filter(algorithm -> isOf(algorithm, encoded))
                    .findFirst();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isOf(String algorithm, PKCS8EncodedKeySpec encoded) {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(encoded) != null;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
