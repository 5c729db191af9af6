package dev.leasehold.doctor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of keys: a hash cannot be turned back, so each name that may be meant is hashed once, in each way that is usual.
 * Immutable.
 */
final class KeyNames {

    /** The hash codes that Java has for shorter ones are small numbers, which others take as they are. */
    private static final int SHORTEST_OF_CLIENTS = 4;

    private static final int MOST_LOCKS = 3;

    private final String database;
    private final Map<Long, Form> numbers = new HashMap<>();
    private final Map<Integer, String> shortHashes = new HashMap<>();

    /** @param database whose keys they are */
    KeyNames(List<HashedName> names, String database) {
        this.database = database;
        names.forEach(this::add);
    }

    /** The key as it is, and what it stands for if that is known. */
    String words(AdvisoryKey key) {
        return meaning(key).map(meaning -> meaning + " = " + key).orElseGet(key::toString);
    }

    /** The first locks of a session, and how many more there are. */
    List<String> words(List<AdvisoryLock> held) {
        Stream<String> first = held.stream().limit(MOST_LOCKS).map(this::words);
        int more = held.size() - MOST_LOCKS;
        return (more > 0 ? Stream.concat(first, Stream.of("and " + more + " more")) : first).toList();
    }

    private String words(AdvisoryLock lock) {
        String key = lock.isHere() ? words(lock.key()) : lock.key().toString();
        return lock.isShared() ? key + ", shared" : key;
    }

    Optional<String> meaning(AdvisoryKey key) {
        if (key.isPair()) {
            return pair(key);
        }
        Form form = numbers.get(key.number());
        return form == null ? MigrationKeys.meaning(key.number(), database) : Optional.of(form.words());
    }

    private Optional<String> pair(AdvisoryKey key) {
        String second = shortHashes.get(key.lower());
        if (second != null) {
            return Optional.of("(" + key.upper() + ", hashtext(" + quoted(second) + "))");
        }
        return Optional.ofNullable(shortHashes.get(key.upper()))
                .map(first -> "(hashtext(" + quoted(first) + "), " + key.lower() + ")");
    }

    private static String quoted(String name) {
        return "'" + OneLine.text(name) + "'";
    }

    /** How a name is hashed, with a question mark for it. */
    private record Form(String pattern, String name) {

        String words() {
            return pattern.replace("?", quoted(name));
        }
    }

    private void add(HashedName hashed) {
        String name = hashed.name();
        shortHashes.putIfAbsent(hashed.shortHash(), name);
        add(hashed.longHash(), "hashtextextended(?, 0)", name);
        add(hashed.shortHash(), "hashtext(?)", name);
        if (hashed.ownHash() != null) {
            add(hashed.ownHash(), "lease ?, in a statement of Leasehold", name);
        }
        if (name.length() >= SHORTEST_OF_CLIENTS) {
            add(name.hashCode(), "hashCode of ? in Java", name);
            add(HashedName.crc(name), "CRC-32 of ?", name);
        }
    }

    private void add(long number, String pattern, String name) {
        numbers.putIfAbsent(number, new Form(pattern, name));
    }
}
