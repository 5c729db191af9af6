package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.watch.testing.Hook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AlertJobTest extends AlertScene {

    @Test
    void monitorThatCannotBeRecordedKeepsNeitherTheOthersNorTheDeliveriesWaiting() throws Exception {
        long refused = monitor("a-refused");
        long fine = monitor("b-fine");
        long alsoRefused = monitor("c-refused");
        for (long id : List.of(refused, fine, alsoRefused)) {
            saw(id, "down");
        }
        database.aside()
                .sql("alter table transition add constraint refuses check (monitor_id = " + fine + ")")
                .update();

        assertThatThrownBy(this::evaluate)
                .isInstanceOf(DataIntegrityViolationException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));

        assertThat(transitions()).containsExactly("->down 1");
        assertThat(hook.keys()).containsExactly(fine + "/1");
    }

    @Test
    void changeIsRecordedOnceAndTold() throws Exception {
        long id = monitor("shop");
        saw(id, "up");
        evaluate();
        saw(id, "down");
        evaluate();

        assertThat(transitions()).containsExactly("->up 1", "up>down 2");
        assertThat(rows("select state || ' ' || seq from monitor_state")).containsExactly("down 2");
        assertThat(hook.got()).hasSize(1);
        Hook.Got got = hook.got().get(0);
        assertThat(got.method() + " " + got.contentType()).isEqualTo("POST application/json");
        JsonNode body = JsonMapper.builder().build().readTree(got.body());
        assertThat(body.get("key").asString()).isEqualTo(id + "/2").isEqualTo(got.key());
        assertThat(body.get("monitor").asString()).isEqualTo("shop");
        assertThat(body.get("url").asString()).isEqualTo("http://shop.example/");
        assertThat(body.get("from").asString()).isEqualTo("up");
        assertThat(body.get("to").asString()).isEqualTo("down");
        assertThat(body.get("seq").asLong()).isEqualTo(2);
        assertThat(body.get("detail").asString()).isEqualTo("node-a: it was down");
        assertThat(body.get("occurred_at").asString())
                .isEqualTo(database.aside()
                        .sql("select occurred_at from transition where seq = 2")
                        .query((row, n) -> row.getTimestamp(1).toInstant().toString())
                        .single());
        assertThat(lines()).singleElement().asString().startsWith("WARN monitor shop is down since ");
    }

    @Test
    void firstUpIsNotToldAndItsReturnIs() throws Exception {
        long id = monitor("shop");
        for (String outcome : List.of("up", "down", "up")) {
            saw(id, outcome);
            evaluate();
        }

        assertThat(transitions()).containsExactly("->up 1", "up>down 2", "down>up 3");
        assertThat(hook.keys()).containsExactly(id + "/2", id + "/3");
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).startsWith("INFO monitor shop is up again since ");
    }

    @Test
    void firstDownIsTold() throws Exception {
        long id = monitor("shop");
        saw(id, "down");
        evaluate();

        assertThat(transitions()).containsExactly("->down 1");
        assertThat(hook.keys()).containsExactly(id + "/1");
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(hook.got().get(0).body())
                        .get("from")
                        .isNull())
                .isTrue();
    }

    @Test
    void restartsSendNothingThatWasDelivered() throws Exception {
        long down = monitor("down");
        long back = monitor("back");
        saw(down, "down");
        saw(back, "down");
        evaluate();
        saw(back, "up");
        evaluate();
        int told = hook.got().size();
        logged.list.clear();

        for (int restart = 0; restart < 3; restart++) {
            saw(down, "down");
            saw(back, "up");
            letTimePass();
            evaluate();
        }

        assertThat(told).isEqualTo(3);
        assertThat(hook.got()).hasSize(told);
        assertThat(lines()).isEmpty();
        assertThat(transitions()).hasSize(3);
    }

    @Test
    void onlyFreshResultsCountAndOfThoseTheNewestOfEachNode() throws Exception {
        long id = monitor("shop");
        saw(id, "node-a", "up", 0);
        evaluate();
        database.aside().sql("delete from check_result").update();

        saw(id, "node-a", "down", 45);
        evaluate();
        assertThat(transitions()).containsExactly("->up 1");

        saw(id, "node-a", "up", 30);
        saw(id, "node-a", "down", 5);
        saw(id, "node-b", "up", 50);
        evaluate();
        assertThat(transitions()).containsExactly("->up 1", "up>down 2");
    }

    @Test
    void unknownResultsChangeNothing() throws Exception {
        long id = monitor("shop");
        saw(id, "up");
        evaluate();
        saw(id, "unknown");
        evaluate();
        long other = monitor("other");
        saw(other, "unknown");
        evaluate();

        assertThat(transitions()).containsExactly("->up 1");
    }

    @Test
    void withoutAnyWebhookOnlyTheLogIsTold() throws Exception {
        saw(monitor("shop"), "down");
        newJob(null).run(() -> true);

        assertThat(rows("select channel from outbox where delivered_at is not null"))
                .containsExactly("log");
        assertThat(lines()).hasSize(1);
    }

    @Test
    void evaluationsAtTheSameMomentMakeOneTransitionAndOneDelivery() throws Exception {
        int rounds = 12;
        var threads = Executors.newFixedThreadPool(3);
        List<String> expected = new ArrayList<>();
        long id = monitor("shop");
        for (int round = 1; round <= rounds; round++) {
            saw(id, round % 2 == 1 ? "down" : "up");
            var together = new CyclicBarrier(3);
            List<Callable<Boolean>> instances = new ArrayList<>();
            for (int instance = 0; instance < 3; instance++) {
                AlertJob job = newJob(hook.url());
                instances.add(() -> {
                    together.await(30, TimeUnit.SECONDS);
                    job.run(() -> true);
                    return true;
                });
            }
            for (Future<Boolean> instance : threads.invokeAll(instances)) {
                assertThat(instance.get()).isTrue();
            }
            evaluate();
            expected.add(id + "/" + round);
        }

        threads.shutdown();
        assertThat(hook.keys()).containsExactlyElementsOf(expected);
        assertThat(transitions()).hasSize(rounds);
    }

    @Test
    void nothingIsRecordedOrSentOnceTheLeaseIsNoLongerHeld() throws Exception {
        saw(monitor("shop"), "down");
        newJob(hook.url()).run(() -> false);

        assertThat(transitions()).isEmpty();
        assertThat(hook.got()).isEmpty();
    }
}
