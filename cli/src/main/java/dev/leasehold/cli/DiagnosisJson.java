package dev.leasehold.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Evidence;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Server;
import java.util.List;
import java.util.Locale;

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
                .with("meaning", finding.meaning())
                .with("remedy", finding.remedy())
                .build();
    }

    /** A row is an object, by its columns. */
    private static JsonArray evidence(Evidence evidence) {
        var rows = new JsonArray();
        for (List<String> row : evidence.rows()) {
            var cells = Json.object();
            for (int i = 0; i < row.size(); i++) {
                cells.with(evidence.columns().get(i), row.get(i));
            }
            rows.add(cells.build());
        }
        return rows;
    }
}
