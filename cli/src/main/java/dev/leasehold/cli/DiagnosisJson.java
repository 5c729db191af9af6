package dev.leasehold.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Server;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the doctor has found, for programs. */
final class DiagnosisJson {

    private DiagnosisJson() {}

    static JsonObject of(Diagnosis diagnosis) {
        var findings = new JsonArray();
        diagnosis.findings().forEach(finding -> findings.add(finding(finding)));
        return Json.object()
                .with("server", server(diagnosis.server()))
                .with("looked_at", diagnosis.lookedAt())
                .with("well", diagnosis.isWell())
                .with("findings", findings)
                .build();
    }

    private static JsonObject server(Server server) {
        return Json.object()
                .with("version", server.version())
                .with("major", server.major())
                .with("database", server.database())
                .with("role", server.role())
                .build();
    }

    private static JsonObject finding(Finding finding) {
        return Json.object()
                .with("kind", finding.kind().code())
                .with("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                .with("title", finding.title())
                .with("evidence", evidence(finding.evidence()))
                .with("rows_left_out", finding.evidence().leftOut())
                .with("meaning", text(finding.meaning()))
                .with("now", text(finding.remedy().now()))
                .with("for_good", text(finding.remedy().forGood()))
                .with("sql", array(finding.remedy().sql()))
                .build();
    }

    private static Optional<String> text(String text) {
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    /** A row is an object, by its columns. */
    private static JsonArray evidence(Evidence evidence) {
        var rows = new JsonArray();
        for (List<Object> row : evidence.rows()) {
            var cells = Json.object();
            for (int i = 0; i < row.size(); i++) {
                add(evidence.columns().get(i).key(), row.get(i), cells);
            }
            rows.add(cells.build());
        }
        return rows;
    }

    private static void add(String key, Object cell, Json cells) {
        if (cell instanceof Duration duration) {
            cells.withSeconds(key, duration);
        } else if (cell instanceof List<?> list) {
            cells.with(key, array(list));
        } else {
            cells.with(key, Optional.of(cell).filter(one -> !one.equals("")));
        }
    }

    private static JsonArray array(List<?> list) {
        var array = new JsonArray();
        for (Object one : list) {
            array.add(one instanceof Number number ? new JsonPrimitive(number) : new JsonPrimitive(one.toString()));
        }
        return array;
    }
}
