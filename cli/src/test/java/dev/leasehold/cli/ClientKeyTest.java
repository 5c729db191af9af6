package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientKeyTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @CsvSource({"RSA, RSA", "EC, EC", "Ed25519, EdDSA"})
    void theAlgorithmOfAKeyIsToldFromItsFile(String made, String told) throws Exception {
        byte[] key = KeyPairGenerator.getInstance(made)
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        Path file = Files.writeString(
                folder.resolve("key"),
                "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
        assertThat(ClientKey.algorithm(file.toString())).contains(told);
    }

    @Test
    void whatIsNoSuchKeyIsLeftToTheDriver() throws Exception {
        assertThat(ClientKey.algorithm(folder.resolve("none").toString())).isEmpty();
        assertThat(ClientKey.algorithm("a\0b")).isEmpty();
        Path file = Files.writeString(
                folder.resolve("key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThat(ClientKey.algorithm(file.toString())).isEmpty();
        Files.writeString(file, "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n");
        assertThat(ClientKey.algorithm(file.toString())).isEmpty();
    }
}
