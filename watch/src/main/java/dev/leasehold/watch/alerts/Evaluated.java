package dev.leasehold.watch.alerts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A monitor with what is stored of it and what the nodes saw last. */
record Evaluated(long monitorId, @Nullable Known known, List<Sighting> sightings) {}
