package dev.leasehold;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a table of ours must have.
 *
 * @param kind what it is, for people
 * @param name what it is called in the statements and in its DDL, where the configured name takes its place
 * @param ddl the resource that creates it
 * @param key the columns of its primary key
 * @param firstColumns its oldest form; a table that lacks any of them is another one
 * @param laterColumns what can be added to that, and how
 * @param fillfactor how full its pages are at first, in percent
 */
record TableShape(
        String kind,
        String name,
        String ddl,
        List<String> key,
        Set<String> firstColumns,
        Map<String, String> laterColumns,
        int fillfactor) {

    static final TableShape LEASES = new TableShape(
            "lease table",
            "leases",
            "schema.sql",
            List.of("name"),
            Set.of("name", "holder", "taken_at", "expires_at"),
            laterColumnsOfLeases(),
            50);

    static final TableShape RUN_HISTORY = new TableShape(
            "run history",
            "round_runs",
            "round_runs.sql",
            List.of("lease", "fence"),
            Set.of(
                    "lease",
                    "fence",
                    "round",
                    "node",
                    "slot",
                    "extra",
                    "holder",
                    "started_at",
                    "ended_at",
                    "outcome",
                    "counted",
                    "error"),
            Map.of(),
            80);

    private static Map<String, String> laterColumnsOfLeases() {
        var columns = new LinkedHashMap<String, String>();
        columns.put("fence", "bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint");
        columns.put("done_slot", "timestamptz");
        columns.put("deaths", "int not null default 0");
        columns.put("pause_reason", "text");
        return columns;
    }
}
