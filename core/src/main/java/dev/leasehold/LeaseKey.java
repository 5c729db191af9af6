package dev.leasehold;

/** What identifies one acquisition: the same name acquired again has another holder and a larger fence. */
record LeaseKey(String name, String holder, long fence) {}
