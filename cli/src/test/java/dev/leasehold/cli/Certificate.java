package dev.leasehold.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Objects;

/** A certificate that signs itself, and its key, as PEM files; made by the JDK's keytool. */
record Certificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    /** For that common name, and for those hosts: {@code dns:localhost}. */
    static Certificate create(Path folder, String commonName, String hosts) throws Exception {
        Path store = folder.resolve(commonName + ".p12");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "one",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + commonName,
                        "-ext",
                        "san=" + hosts,
                        "-ext",
                        "bc=ca:true",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + said);
        }
        return export(folder, commonName, store);
    }

    private static Certificate export(Path folder, String name, Path store)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        var key = Objects.requireNonNull(keys.getKey("one", PASSWORD.toCharArray()));
        return new Certificate(
                write(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate("one").getEncoded()),
                write(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded()));
    }

    private static Path write(Path file, String what, byte[] encoded) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
