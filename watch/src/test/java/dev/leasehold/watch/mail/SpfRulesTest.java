package dev.leasehold.watch.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpfRulesTest {

    private final Map<String, TxtAnswer> zone = new HashMap<>();
    private final SpfRules rules = new SpfRules(name -> zone.getOrDefault(name, new TxtAnswer.NoSuchName()));

    private Finding judge(String... texts) throws InterruptedException {
        return rules.judge(new TxtAnswer.Texts(List.of(texts)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v=spf1 -all | OK",
                "v=spf1 mx ~all | OK",
                "V=SPF1 mx ~all | OK",
                "v=spf1 IP4:192.0.2.1 Include:_spf.example.net ~ALL | OK",
                "v=spf1 a:mail.example.com/28 mx/24//64 include:allmail.example.net ~all | OK",
                "v=spf1 a//64 ptr ptr:example.net exists:%{ir}.%{l1r+-}._spf.%{d} ip6:2001:db8::/32 -all | OK",
                "v=spf1   mx   -all   | OK",
                "v=spf1 x-other=%{d}/yes -all exp=explain._spf.%{d} | OK",
                "v=spf1 | WEAK",
                "v=spf1 mx | WEAK",
                "v=spf1 mx ?all | WEAK",
                "v=spf1 all | WEAK",
                "v=spf1 +all | WEAK",
                "v=spf1 +all -all | WEAK",
                "v=spf1 mx -all include:x.example | OK",
                "v=spf1 -all redirect=gone.example | OK",
            })
    void firstAllDecides(String record, Status status) throws Exception {
        assertThat(judge(record)).extracting(Finding::status, Finding::record).containsExactly(status, record);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v=spf1 ip4:203.0.113.7~all",
                "v=spf1 ip4:203.0.113.256 -all",
                "v=spf1 ip4:203.0.113.07 -all",
                "v=spf1 ip4:203.0.113.7/33 -all",
                "v=spf1 ip4:203.0.113 -all",
                "v=spf1 ip4 -all",
                "v=spf1 ip6:2001:db8:::1 -all",
                "v=spf1 ip6:2001:db8::1/129 -all",
                "v=spf1 ip6:192.0.2.1 -all",
                "v=spf1 include -all",
                "v=spf1 include: -all",
                "v=spf1 include:localhost -all",
                "v=spf1 a:example.com/33 -all",
                "v=spf1 a:example.com/024 -all",
                "v=spf1 a: -all",
                "v=spf1 mx/ -all",
                "v=spf1 all:example.com",
                "v=spf1 -all/8",
                "v=spf1 mx -all ipv4:192.0.2.1",
                "v=spf1 nonsense -all",
                "v=spf1 exists:%{z}.example.com -all",
                "v=spf1 exists:%a.example.com -all",
                "v=spf1 -all exp=%{r}.example.com",
                "v=spf1 redirect=a.example redirect=b.example",
                "v=spf1 redirect=",
                "v=spf1 exp=a.example exp=b.example -all",
                "v=spf1 mx\t-all",
                "v=spf1 \u00c2\u00a0-all",
                "v=spf1 -all moo=%{x",
            })
    void termThatTheGrammarDoesNotAllowMakesTheRecordInvalid(String record) throws Exception {
        assertThat(judge(record).status()).isEqualTo(Status.INVALID);
    }

    @Test
    void brokenTermIsNamedVisibly() throws Exception {
        assertThat(judge("v=spf1 ip4:203.0.113.7~all").explanation()).contains("the term ip4:203.0.113.7~all is not");
        assertThat(judge("v=spf1 mx\u00c2\u00a0-all").explanation()).contains("the term mx\\194\\160-all is not");
        assertThat(judge("v=spf1 mx\u0000 -all").record()).isEqualTo("v=spf1 mx\\000 -all");
    }

    @Test
    void severalRecordsAreInvalid() throws Exception {
        Finding finding = judge("v=spf1 mx -all", "other", "v=spf1 -all");

        assertThat(finding.status()).isEqualTo(Status.INVALID);
        assertThat(finding.record()).isEqualTo("v=spf1 mx -all\nv=spf1 -all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v=spf10 -all", "v=spf1-all", "v=spf1\t-all", "spf1 -all", "v=spf2.0/pra -all", "hello"})
    void textThatDoesNotBeginWithTheVersionIsNoRecord(String text) throws Exception {
        assertThat(judge(text)).isEqualTo(new Finding("spf", Status.MISSING, null, "There is no SPF record."));
    }

    @Test
    void blankInFrontMakesItNoRecordAndIsHintedAt() throws Exception {
        Finding finding = judge(" v=spf1 -all");

        assertThat(finding.status()).isEqualTo(Status.MISSING);
        assertThat(finding.explanation()).contains("blanks in front");
    }

    @Test
    void onlyTheDnssOwnWordIsMissing() throws Exception {
        assertThat(rules.judge(new TxtAnswer.NoRecord()).status()).isEqualTo(Status.MISSING);
        assertThat(rules.judge(new TxtAnswer.NoSuchName()).status()).isEqualTo(Status.MISSING);
        assertThat(rules.judge(new TxtAnswer.Failed("no answer in time")))
                .isEqualTo(new Finding(
                        "spf", Status.UNKNOWN, null, "Could not look up the SPF record: no answer in time."));
    }

    @Test
    void moreThanTenLookUpsInOneRecordAreInvalid() throws Exception {
        String ten = "v=spf1" + " a:x.example".repeat(10);

        assertThat(judge(ten + " -all").status()).isEqualTo(Status.OK);
        assertThat(judge(ten + " mx -all").status()).isEqualTo(Status.INVALID);
        assertThat(judge(ten + " -all mx").status()).isEqualTo(Status.OK);
        assertThat(judge(ten + " redirect=x.example").status()).isEqualTo(Status.INVALID);
    }

    @Test
    void recordAsLongAsTheDnsAllowsIsJudgedLikeAnyOther() throws Exception {
        assertThat(judge("v=spf1 exists:" + "%%".repeat(15_000) + "x.example -all")
                        .status())
                .isEqualTo(Status.OK);
        assertThat(judge("v=spf1 a:" + "x".repeat(60_000) + ".example/24 -all").status())
                .isEqualTo(Status.OK);
        assertThat(judge("v=spf1 a:x." + "1".repeat(60_000) + " -all").status()).isEqualTo(Status.INVALID);
        assertThat(judge("v=spf1 " + "%".repeat(60_000)).status()).isEqualTo(Status.INVALID);
        assertThat(judge("v=spf1" + " ip4:192.0.2.1".repeat(4_000)).status()).isEqualTo(Status.WEAK);
    }

    @Test
    void redirectIsJudgedByItsTarget() throws Exception {
        zone.put("weak.example", new TxtAnswer.Texts(List.of("v=spf1 ?all")));
        zone.put("strict.example", new TxtAnswer.Texts(List.of("v=spf1 -all")));
        zone.put("failing.example", new TxtAnswer.Failed("no answer in time"));
        zone.put("loop.example", new TxtAnswer.Texts(List.of("v=spf1 redirect=loop.example")));

        assertThat(judge("v=spf1 redirect=strict.example").status()).isEqualTo(Status.OK);
        assertThat(judge("v=spf1 redirect=weak.example").status()).isEqualTo(Status.WEAK);
        assertThat(judge("v=spf1 redirect=gone.example").status()).isEqualTo(Status.INVALID);
        assertThat(judge("v=spf1 redirect=failing.example").status()).isEqualTo(Status.UNKNOWN);
        assertThat(judge("v=spf1 redirect=loop.example").status()).isEqualTo(Status.INVALID);
        assertThat(judge("v=spf1 redirect=%{d}.example").explanation()).contains("not followed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:x.%s_", "include:x.%s", "exists:%s.", "redirect=x.%s-", "%s", "ip4:%s"})
    void longestRecordIsJudgedInAMoment(String term) {
        String record = "v=spf1 " + String.format(term, "a".repeat(65_000));

        assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertThat(judge(record).status()).isEqualTo(Status.INVALID));
    }

    @Test
    void lastLabelMayHaveSixtyThreeCharacters() throws Exception {
        assertThat(judge("v=spf1 a:x." + "a".repeat(63) + " -all").status()).isEqualTo(Status.OK);
        assertThat(judge("v=spf1 a:x." + "a".repeat(64) + " -all").status()).isEqualTo(Status.INVALID);
    }
}
