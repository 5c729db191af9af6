package dev.leasehold.watch.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.mail.DmarcRules.Existence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By RFC 9989, which replaces RFC 7489: where older reports go by that one, 9989 decides. */
class DmarcRulesTest {

    private final Map<String, TxtAnswer> zone = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final DmarcRules rules = new DmarcRules(name -> {
        asked.add(name);
        return zone.getOrDefault(name, new TxtAnswer.NoSuchName());
    });

    private void at(String name, String... texts) {
        zone.put("_dmarc." + name, new TxtAnswer.Texts(Arrays.asList(texts)));
    }

    private Finding judge(String domain) throws InterruptedException {
        return rules.judge(domain, Existence.EXISTS);
    }

    private Finding judgeRecord(String text) throws InterruptedException {
        at("example.com", text);
        return judge("example.com");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v=DMARC1; p=reject | OK",
                "v=DMARC1; p=quarantine | OK",
                "v=DMARC1;p=Reject; | OK",
                "v = DMARC1 ; p = reject ; | OK",
                "v=DMARC1; rua=mailto:d@example.net; p=reject | OK",
                "v=DMARC1; p=reject; pct=25 | OK",
                "v=DMARC1; p=reject; sp=none | OK",
                "v=DMARC1; p=reject; t=n; psd=u; xyz=1 | OK",
                "v=DMARC1; p=none | WEAK",
                "v=DMARC1; p=none; sp=reject | WEAK",
                "v=DMARC1; p=none; np=reject | WEAK",
                "v=DMARC1; p=none; fo:0; xyz=1; adkim=r | WEAK",
                "v=DMARC1; p=none; p=reject | WEAK",
                "v=DMARC1; p=reject; t=y | WEAK",
                "v=DMARC1; t=y; p=quarantine | WEAK",
                "v=DMARC1 | WEAK",
                "v=DMARC1; rua=mailto:d@example.net | WEAK",
                "v=DMARC1; p=rejected; rua=mailto:d@example.net!10m | WEAK",
                "v=DMARC1; p=reject; sp=never; rua=mailto:d@example.net | WEAK",
                "v=DMARC1; p=rejected | INVALID",
                "v=DMARC1; p=rejected; rua=d@example.net | INVALID",
                "v=DMARC1; p=reject; np=never | INVALID",
            })
    void policyOfItsOwnRecordDecides(String record, Status status) throws Exception {
        assertThat(judgeRecord(record))
                .extracting(Finding::status, Finding::record)
                .containsExactly(status, record);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " v=DMARC1; p=reject",
                "v=dmarc1; p=reject",
                "v=DMARC1 p=reject",
                "v=DMARC1, p=reject",
                "v=DMARC10; p=reject",
                "p=reject; v=DMARC1",
                "v=spf1 -all",
            })
    void textThatDoesNotBeginWithTheVersionIsNoRecord(String text) throws Exception {
        assertThat(judgeRecord(text))
                .extracting(Finding::status, Finding::record)
                .containsExactly(Status.MISSING, null);
    }

    @Test
    void nearMissIsShown() throws Exception {
        assertThat(judgeRecord(" v=DMARC1; p=reject").explanation()).contains("\" v=DMARC1; p=reject\"");
        assertThat(judgeRecord("v=dmarc1; p=reject").explanation()).contains("\"v=dmarc1; p=reject\"");
    }

    @Test
    void blankAtTheEndIsAccepted() throws Exception {
        assertThat(judgeRecord("v=DMARC1; p=reject ").status()).isEqualTo(Status.OK);
    }

    @Test
    void whatIsIgnoredIsSaid() throws Exception {
        assertThat(judgeRecord("v=DMARC1; p=none; fo:0; ri=1; pct=25").explanation())
                .contains("fo:0")
                .contains("pct, ri no longer count");
        assertThat(judgeRecord("v=DMARC1;\u00c2\u00a0p=reject"))
                .extracting(Finding::status, Finding::record)
                .containsExactly(Status.WEAK, "v=DMARC1;\\194\\160p=reject");
        assertThat(judgeRecord("v=DMARC1;\u00c2\u00a0p=reject").explanation()).contains("\\194\\160p=reject");
    }

    @Test
    void severalRecordsAreInvalid() throws Exception {
        at("example.com", "v=DMARC1; p=reject", "v=DMARC1; p=none");

        assertThat(judge("example.com").status()).isEqualTo(Status.INVALID);
    }

    @Test
    void otherTextsBesideTheRecordDoNotMatter() throws Exception {
        at("example.com", "hello", "v=DMARC1; p=reject");

        assertThat(judge("example.com").status()).isEqualTo(Status.OK);
    }

    @Test
    void ownRecordTakesOneQuery() throws Exception {
        judgeRecord("v=DMARC1; p=reject");

        assertThat(asked).containsExactly("_dmarc.example.com");
    }

    @Test
    void parentsRecordAppliesByItsSubdomainPolicy() throws Exception {
        at("example.com", "v=DMARC1; p=none; sp=reject");

        assertThat(judge("sub.example.com").status()).isEqualTo(Status.OK);
        assertThat(judge("sub.example.com").explanation()).startsWith("The record of example.com applies. sp=reject");

        at("sub.example.com", "v=DMARC1; p=none; sp=reject");
        assertThat(judge("sub.example.com").status()).isEqualTo(Status.WEAK);
    }

    @Test
    void parentsPolicyForNamesThatDoNotExistAppliesToThoseOnly() throws Exception {
        at("example.com", "v=DMARC1; p=reject; sp=none; np=reject");

        assertThat(rules.judge("sub.example.com", Existence.EXISTS).status()).isEqualTo(Status.WEAK);
        assertThat(rules.judge("sub.example.com", Existence.DOES_NOT_EXIST).status())
                .isEqualTo(Status.OK);
        assertThat(rules.judge("sub.example.com", Existence.UNKNOWN).status()).isEqualTo(Status.UNKNOWN);
        assertThat(Existence.by(new TxtAnswer.NoSuchName())).isEqualTo(Existence.DOES_NOT_EXIST);
        assertThat(Existence.by(new TxtAnswer.NoRecord())).isEqualTo(Existence.EXISTS);
        assertThat(Existence.by(new TxtAnswer.Failed(""))).isEqualTo(Existence.UNKNOWN);
    }

    @Test
    void ofSeveralParentsTheShortestNameIsTheOrganizationalDomain() throws Exception {
        at("mail.example.com", "v=DMARC1; p=reject");
        at("example.com", "v=DMARC1; p=none");

        assertThat(judge("a.mail.example.com").explanation()).startsWith("The record of example.com applies.");
    }

    @Test
    void recordThatSaysItIsTheOrganizationalDomainEndsTheWalk() throws Exception {
        at("mail.example.com", "v=DMARC1; p=reject; psd=n");
        at("example.com", "v=DMARC1; p=none");

        assertThat(judge("a.mail.example.com").explanation()).startsWith("The record of mail.example.com applies.");
        assertThat(asked).containsExactly("_dmarc.a.mail.example.com", "_dmarc.mail.example.com");
    }

    @Test
    void organizationalDomainIsOneBelowThePublicSuffix() throws Exception {
        at("bank", "v=DMARC1; p=reject; psd=y");
        at("giant.bank", "v=DMARC1; p=quarantine");
        at("mail.giant.bank", "v=DMARC1; p=none");

        assertThat(judge("x.mail.giant.bank").explanation()).startsWith("The record of giant.bank applies.");
        assertThat(judge("x.other.bank").explanation()).startsWith("The record of bank applies.");
        assertThat(judge("other.bank").explanation()).startsWith("The record of bank applies.");
    }

    @Test
    void walkTakesEightQueriesAtMost() throws Exception {
        judge("a.b.c.d.e.f.g.h.i.j.mail.example.com");

        assertThat(asked)
                .containsExactly(
                        "_dmarc.a.b.c.d.e.f.g.h.i.j.mail.example.com",
                        "_dmarc.g.h.i.j.mail.example.com",
                        "_dmarc.h.i.j.mail.example.com",
                        "_dmarc.i.j.mail.example.com",
                        "_dmarc.j.mail.example.com",
                        "_dmarc.mail.example.com",
                        "_dmarc.example.com",
                        "_dmarc.com");
        assertThat(DmarcRules.above("a.b.c.d.e.f.g.com")).first().isEqualTo("b.c.d.e.f.g.com");
        assertThat(DmarcRules.above("example.com")).containsExactly("com");
        assertThat(DmarcRules.above("com")).isEmpty();
    }

    @Test
    void severalRecordsAtAParentCountAsNone() throws Exception {
        at("example.com", "v=DMARC1; p=reject", "v=DMARC1; p=reject");

        assertThat(judge("sub.example.com").status()).isEqualTo(Status.MISSING);
    }

    @Test
    void lookUpThatFailsAnywhereIsUnknownNeverMissing() throws Exception {
        zone.put("_dmarc.example.com", new TxtAnswer.Failed("no answer in time"));

        assertThat(judge("example.com"))
                .isEqualTo(new Finding(
                        "dmarc", Status.UNKNOWN, null, "Could not look up _dmarc.example.com: no answer in time."));
        assertThat(judge("sub.example.com").status()).isEqualTo(Status.UNKNOWN);
        assertThat(judge("example.org").status()).isEqualTo(Status.MISSING);
    }
}
