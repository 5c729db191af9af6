package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file of monitors for who has named none: each node's own {@code /up}, and a domain to look at. */
final class SampleMonitors {

    private SampleMonitors() {}

    static Path write(DataFolder data, List<Node> nodes) throws IOException {
        StringBuilder yaml = new StringBuilder();
        yaml.append("# Written anew by each ./run; name a file of your own with --monitors.\n");
        yaml.append("monitors:\n");
        for (Node node : nodes) {
            yaml.append("  - name: ").append(node.label()).append('\n');
            yaml.append("    url: ").append(node.url()).append("/up\n");
        }
        yaml.append("domains:\n");
        yaml.append("  - example.com\n");
        return Files.writeString(data.sampleMonitors(), yaml);
    }
}
