package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** An executable jar without classes that starts {@link StandInNode} from the class path of this JVM. */
final class StandInJar {

    private StandInJar() {}

    static Path write(Path file) throws IOException {
        String separator = System.getProperty("path.separator");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(separator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StandInNode.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }
}
