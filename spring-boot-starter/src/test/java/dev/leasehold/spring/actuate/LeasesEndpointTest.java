package dev.leasehold.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.spring.running.RunningApplication;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LeasesEndpointTest {

    private static final String PATH = "/actuator/leases";
    private static final TestDatabase database = TestPostgres.freshDatabase();
    private static RunningApplication reading;
    private static RunningApplication releasing;

    @BeforeAll
    static void start() {
        reading = RunningApplication.on(database.jdbcUrl());
        releasing = RunningApplication.on(database.jdbcUrl(), "management.endpoint.leases.access=unrestricted");
    }

    @AfterAll
    static void stop() {
        reading.close();
        releasing.close();
    }

    private static Lease acquired(RunningApplication by, String name) {
        return by.bean(Leases.class).tryAcquire(name).lease().orElseThrow();
    }

    @Test
    void everyLeaseIsToldWithItsHolderAndWhetherThisInstanceHoldsIt() throws Exception {
        Lease here = acquired(reading, "here");
        Lease there = acquired(releasing, "there");
        reading.bean(Leases.class).pause("here", "the provider is down");
        HttpResponse<String> rows = reading.get(PATH);
        assertThat(rows.statusCode()).isEqualTo(200);
        assertThat(rows.body())
                .startsWith("{\"leases\":[{")
                .contains("\"name\":\"here\",\"holder\":\"" + here.holder() + "\",\"held\":true,\"heldHere\":true")
                .contains("\"paused\":\"the provider is down\"")
                .contains("\"fence\":" + here.fence() + ",\"deaths\":0")
                .contains("\"name\":\"there\",\"holder\":\"" + there.holder() + "\",\"held\":true,\"heldHere\":false")
                .containsPattern("\"expiresIn\":\"PT1M5\\d\\.\\d+S\"");
        here.release();
        assertThat(reading.get(PATH + "/here").body()).contains("\"held\":false,\"heldHere\":false,\"expiresIn\":null");
        there.release();
    }

    @Test
    void oneIsAskedForByNameThoughThatHasSlashesAndMoreAndAnUnknownOneIsNotFound() throws Exception {
        Lease lease = acquired(reading, "orders/5 für Köln");
        HttpResponse<String> row = reading.get(PATH + "/orders/5%20f%C3%BCr%20K%C3%B6ln");
        assertThat(row.statusCode()).isEqualTo(200);
        assertThat(row.body()).contains("\"name\":\"orders/5 für Köln\"").contains("\"heldHere\":true");
        assertThat(reading.get(PATH + "/orders").statusCode()).isEqualTo(404);
        lease.release();
    }

    @Test
    void nobodyReleasesByForceUnlessThatIsAllowed() throws Exception {
        Lease lease = acquired(reading, "guarded");
        assertThat(reading.delete(PATH + "/guarded?reason=x").statusCode()).isEqualTo(405);
        assertThat(releasing.bean(Leases.class).tryAcquire("guarded").lease()).isEmpty();
        lease.release();
    }

    @Test
    void aForcedReleaseEndsTheLeaseAndAnswersWhatItEnded() throws Exception {
        Lease lease = acquired(reading, "orders/6");
        HttpResponse<String> ended = releasing.delete(PATH + "/orders/6?reason=it%20hangs");
        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(ended.body())
                .isEqualTo("{\"name\":\"orders/6\",\"holder\":\"" + lease.holder() + "\",\"fence\":" + lease.fence()
                        + "}");
        assertThat(database.queryForString("select expires_at = 'epoch' from leases where name = 'orders/6'"))
                .isEqualTo("t");
        assertThat(releasing.delete(PATH + "/orders/6?reason=once%20more").statusCode())
                .as("nobody holds it")
                .isEqualTo(204);
    }

    @Test
    void aNameThatNoPathCanSayIsGivenAsAParameterAndNoOtherIsEnded() throws Exception {
        Lease like = acquired(reading, "v/b");
        Lease odd = acquired(reading, "v//b");
        assertThat(releasing.get(PATH + "?name=v%2F%2Fb").body())
                .contains("\"name\":\"v//b\"")
                .doesNotContain("\"name\":\"v/b\"");
        HttpResponse<String> ended = releasing.delete(PATH + "?name=v%2F%2Fb&reason=it%20hangs");
        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(ended.body()).contains("\"name\":\"v//b\"").contains("\"fence\":" + odd.fence());
        assertThat(reading.get(PATH + "/v/b").body()).contains("\"held\":true");
        like.release();
        odd.release();
    }

    @Test
    void aForcedReleaseNeedsAReason() throws Exception {
        Lease lease = acquired(reading, "asked");
        assertThat(releasing.delete(PATH + "/asked").statusCode()).isEqualTo(400);
        HttpResponse<String> blank = releasing.delete(PATH + "/asked?reason=%20");
        assertThat(blank.statusCode()).isEqualTo(400);
        assertThat(reading.get(PATH + "/asked").body()).contains("\"held\":true");
        lease.release();
    }
}
