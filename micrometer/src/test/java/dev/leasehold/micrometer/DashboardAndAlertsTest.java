package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the dashboard and the alerts name is there, in the scrape of a program to whose leases and rounds all has happened. */
class DashboardAndAlertsTest {

    private static Scrape scrape = new Scrape(Map.of());
    private static Dashboard dashboard;
    private static Alerts alerts;

    @BeforeAll
    static void loadAndScrape() throws Exception {
        dashboard = Dashboard.load();
        alerts = Alerts.load();
        try (var scene = Scene.played()) {
            scrape = Scrape.of(scene.registry().scrape());
        }
    }

    private static List<Query> allQueries() {
        return Stream.of(alerts.queries(), dashboard.queries(), dashboard.variableQueries())
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void allThatIsToBeSeenHasHappenedInTheScrape() {
        for (String name :
                List.of("gained", "taken_over", "refused", "attempts_failed", "lost", "released", "renewed")) {
            assertThat(sum("leasehold_leases_" + name + "_total")).as(name).isPositive();
        }
        for (String name : List.of("runs", "counted", "failures", "died", "skipped")) {
            assertThat(sum("leasehold_rounds_" + name + "_total")).as(name).isPositive();
        }
        for (String name : List.of("leases_renewal", "leases_renewal_failed", "rounds_duration", "rounds_lateness")) {
            assertThat(sum("leasehold_" + name + "_seconds_count")).as(name).isPositive();
        }
    }

    private static double sum(String metric) {
        return Objects.requireNonNull(scrape.metrics().get(metric), metric).sum();
    }

    @Test
    void whatTheAlertsNameIsInTheScrape() {
        assertThat(alerts.queries()).flatMap(query -> query.faults(scrape)).isEmpty();
    }

    @Test
    void whatTheDashboardNamesIsInTheScrape() {
        assertThat(dashboard.queries()).flatMap(query -> query.faults(scrape)).isEmpty();
        assertThat(dashboard.variableQueries())
                .flatMap(query -> query.faults(scrape))
                .isEmpty();
    }

    @Test
    void anyNameThatIsMisspeltIsFound() {
        for (Query query : allQueries()) {
            var parsed = PromQl.of(query.expression());
            Set<String> names = new HashSet<>();
            parsed.selectors().forEach(selector -> {
                names.add(selector.metric());
                selector.matches().forEach(match -> names.add(match.label()));
            });
            parsed.groupings().forEach(names::addAll);
            for (String name : names) {
                String misspelt = query.expression().replaceAll("\\b" + name + "\\b", name + "x");
                assertThat(new Query("misspelt", misspelt, List.of()).faults(scrape))
                        .as(misspelt)
                        .isNotEmpty();
            }
            for (String text : query.texts()) {
                var misspelt = new Query("misspelt", query.expression(), List.of(text + " {{ $labels.raund }}"));
                assertThat(misspelt.faults(scrape)).isNotEmpty();
            }
        }
    }

    @Test
    void aValueThatNoLabelHasIsFound() {
        assertThat(faults("rate(leasehold_rounds_runs_total{outcome=\"done\"}[5m])"))
                .isEmpty();
        assertThat(faults("rate(leasehold_rounds_runs_total{outcome=\"success\"}[5m])"))
                .isNotEmpty();
        assertThat(faults("rate(leasehold_leases_lost_total{reason=~\"deleted|taken\"}[5m])"))
                .isNotEmpty();
    }

    @Test
    void aCounterThatIsNotAskedForItsRateIsFoundAndAGaugeThatIs() {
        assertThat(faults("leasehold_leases_lost_total > 0")).isNotEmpty();
        assertThat(faults("increase(leasehold_leases_held[5m])")).isNotEmpty();
        assertThat(faults("avarage(leasehold_leases_held)")).isNotEmpty();
    }

    private static List<String> faults(String expression) {
        return new Query("test", expression, List.of()).faults(scrape);
    }

    @Test
    void thereAreThreeAlertsThatSayWhatToDo() {
        assertThat(alerts.rules()).hasSize(3).allSatisfy(rule -> {
            assertThat(rule.get("alert").stringValue()).startsWith("Leasehold");
            assertThat(rule.get("labels").get("severity").stringValue()).isIn("warning", "critical");
            assertThat(rule.get("annotations").propertyNames()).contains("summary", "description");
        });
        assertThat(alerts.rules()).map(rule -> rule.get("alert").stringValue()).doesNotHaveDuplicates();
    }

    @Test
    void panelsLieOnTheGridAndNoneOnAnother() {
        List<Dashboard.Place> seen = new ArrayList<>();
        for (Dashboard.Place place : dashboard.places()) {
            assertThat(place.x()).as(place.title()).isNotNegative();
            assertThat(place.x() + place.width()).as(place.title()).isLessThanOrEqualTo(24);
            assertThat(place.height()).as(place.title()).isPositive();
            assertThat(seen).as(place.title()).noneMatch(place::overlaps);
            seen.add(place);
        }
    }

    @Test
    void panelsAreToldApartAndExplained() {
        assertThat(dashboard.json().get("schemaVersion").intValue()).isGreaterThanOrEqualTo(39);
        assertThat(dashboard.panels()).map(panel -> panel.get("id").intValue()).doesNotHaveDuplicates();
        assertThat(dashboard.panels()).map(Dashboard::title).doesNotHaveDuplicates();
        assertThat(dashboard.charts()).isNotEmpty().allSatisfy(panel -> {
            assertThat(panel.get("description").stringValue()).isNotBlank();
            assertThat(panel.get("targets").values())
                    .map(target -> target.get("refId").stringValue())
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
            assertThat(panel.get("datasource").get("uid").stringValue()).isEqualTo("${datasource}");
        });
    }

    @Test
    void variablesAreDefinedBeforeTheyAreUsed() {
        Set<String> defined = dashboard.variables().stream()
                .map(variable -> "$" + variable.get("name").stringValue())
                .collect(Collectors.toSet());
        assertThat(dashboard.queries())
                .flatMap(query -> PromQl.of(query.expression()).selectors())
                .flatMap(PromQl.Selector::matches)
                .map(PromQl.Match::value)
                .isNotEmpty()
                .allSatisfy(value -> assertThat(defined).contains(value));
    }
}
