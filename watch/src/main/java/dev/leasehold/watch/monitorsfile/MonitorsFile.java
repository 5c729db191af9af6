package dev.leasehold.watch.monitorsfile;

import dev.leasehold.watch.domains.DomainName;
import dev.leasehold.watch.monitors.MonitorSpec;
import dev.leasehold.watch.values.InvalidValueException;
import dev.leasehold.watch.values.StartRefusedException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** What the file says, all of it checked: one entry that breaks a rule refuses the file. */
record MonitorsFile(List<MonitorSpec> monitors, List<DomainName> domains) {

    static MonitorsFile read(Path file) {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return new Parsing(file).parse(load(reader));
        } catch (IOException e) {
            throw new StartRefusedException("monitors file " + file + " cannot be read: " + e, e);
        } catch (YAMLException e) {
            throw new StartRefusedException("monitors file " + file + " is not YAML: " + whatIsWrong(e), e);
        }
    }

    /** Without the line itself: it may hold a webhook. */
    private static String whatIsWrong(YAMLException e) {
        if (e instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            var place = marked.getProblemMark();
            return marked.getProblem() + " (line " + (place.getLine() + 1) + ", column " + (place.getColumn() + 1)
                    + ")";
        }
        return e.getClass().getSimpleName();
    }

    private static @Nullable Object load(Reader reader) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options)).load(reader);
    }

    private record Parsing(Path file) {

        MonitorsFile parse(@Nullable Object root) {
            Map<?, ?> top = map("the file", root, Set.of("monitors", "domains"));
            List<MonitorSpec> monitors = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (Object entry : list("monitors", top.get("monitors"))) {
                MonitorSpec monitor = monitor("monitors[" + monitors.size() + "]", entry);
                unique("monitors[" + monitors.size() + "]", names.add(monitor.name()), monitor.name());
                monitors.add(monitor);
            }
            List<DomainName> domains = new ArrayList<>();
            for (Object entry : list("domains", top.get("domains"))) {
                DomainName domain = domain("domains[" + domains.size() + "]", entry);
                unique("domains[" + domains.size() + "]", !domains.contains(domain), domain.text());
                domains.add(domain);
            }
            return new MonitorsFile(List.copyOf(monitors), List.copyOf(domains));
        }

        private MonitorSpec monitor(String place, Object entry) {
            Map<?, ?> fields = map(place, entry, Set.of("name", "url", "timeout", "webhook"));
            try {
                return MonitorSpec.parse(
                        text(fields, "name"), text(fields, "url"), text(fields, "timeout"), text(fields, "webhook"));
            } catch (InvalidValueException e) {
                throw refused(place, e.getMessage());
            }
        }

        private DomainName domain(String place, Object entry) {
            if (!(entry instanceof String name)) {
                throw refused(place, "must be a domain name, but is '" + entry + "'");
            }
            try {
                return DomainName.parse(name);
            } catch (InvalidValueException e) {
                throw refused(place, e.getMessage());
            }
        }

        private static @Nullable String text(Map<?, ?> fields, String key) {
            Object value = fields.get(key);
            return value == null ? null : value.toString();
        }

        private List<?> list(String place, @Nullable Object value) {
            if (value == null) {
                return List.of();
            }
            if (value instanceof List<?> list) {
                return list;
            }
            throw refused(place, "must be a list");
        }

        private Map<?, ?> map(String place, @Nullable Object value, Set<String> known) {
            if (value == null && place.equals("the file")) {
                return Map.of();
            }
            if (!(value instanceof Map<?, ?> map)) {
                throw refused(
                        place, "must have the keys " + known.stream().sorted().toList());
            }
            for (Object key : map.keySet()) {
                if (!(key instanceof String) || !known.contains(key)) {
                    throw refused(
                            place,
                            "'" + key + "' is none of the known keys "
                                    + known.stream().sorted().toList());
                }
            }
            return map;
        }

        private void unique(String place, boolean isNew, String name) {
            if (!isNew) {
                throw refused(place, "name is '" + name + "': must be unique in the file");
            }
        }

        private StartRefusedException refused(String place, String rule) {
            return new StartRefusedException("monitors file " + file + ", " + place + ": " + rule);
        }
    }
}
