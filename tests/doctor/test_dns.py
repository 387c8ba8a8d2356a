"""The doctor's DNS checks: records that other servers need to accept our mail."""

import socket

import pytest
from dns.resolver import Resolver

from referee.doctor.dns import look_at_domain
from referee.doctor.report import Severity
from referee.mail.dns import NameServer
from tests.doctor.zone import Records, knowing

DOMAIN = "games.example.org"
MX = {(DOMAIN, "MX"): ("10 mail.example.org.",)}
SPF = {(DOMAIN, "TXT"): ('"v=spf1 mx -all"',)}
DMARC = {(f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=none"',)}


KEY = f"s1._domainkey.{DOMAIN}"
DKIM = {(KEY, "TXT"): ('"v=DKIM1; k=rsa; p=AAAA"',)}


def told(records: Records, selector: str = "") -> list[tuple[Severity, str]]:
    with knowing(records) as names:
        said = list(look_at_domain(DOMAIN, names, selector))
    return [(each.grade, each.finding.what) for each in said]


def test_a_domain_with_all_records_has_no_faults() -> None:
    assert told({**MX, **SPF, **DKIM, **DMARC}, "s1") == [
        (Severity.WELL, f"{DOMAIN}: mail goes to mail.example.org"),
        (Severity.WELL, f"{DOMAIN}: SPF record: v=spf1 mx -all"),
        (Severity.WELL, f"{KEY}: DKIM key found"),
        (Severity.WELL, f"_dmarc.{DOMAIN}: DMARC record: v=DMARC1; p=none"),
    ]


def test_a_host_of_the_name_gets_mail_without_an_mx() -> None:
    said = told({(DOMAIN, "A"): ("192.0.2.1",)})
    assert said[0] == (Severity.WELL, f"{DOMAIN}: mail goes to the host of that name")


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ({}, f"{DOMAIN}: no MX record, so no mail can arrive"),
        (
            {**MX, (DOMAIN, "TXT"): ('"v=spf1 mx -all"', '"v=spf1 a -all"')},
            f"{DOMAIN}: 2 SPF records",
        ),
        (
            {**MX, (DOMAIN, "TXT"): ('"v=spf1 +all"',)},
            f"{DOMAIN}: the SPF record allows everybody to send",
        ),
        (
            {**MX, (f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=none"', '"v=DMARC1; p=reject"')},
            f"_dmarc.{DOMAIN}: 2 DMARC records",
        ),
        (MX, f"{KEY}: no DKIM key"),
        ({**MX, (KEY, "TXT"): ('"v=DKIM1; p="',)}, f"{KEY}: the DKIM key is revoked"),
    ],
)
def test_records_that_prevent_delivery_are_faults(records: Records, words: str) -> None:
    assert (Severity.FAULT, words) in told(records, "s1")


def test_the_organizations_domain_applies_to_subdomains() -> None:
    said = told({**MX, ("_dmarc.example.org", "TXT"): ('"v=DMARC1; p=reject"',)})
    words = "_dmarc.example.org: DMARC record: v=DMARC1; p=reject"
    assert (Severity.WELL, words) in said


def test_missing_records_are_reported() -> None:
    said = told(MX)
    assert (Severity.LOOK, f"{DOMAIN}: no SPF record") in said
    assert (Severity.LOOK, f"{DOMAIN}: no DMARC record") in said
    unseen = "DKIM: cannot be checked without the selector"
    assert (Severity.LOOK, unseen) in said


def test_a_missing_name_server_blocks_nothing() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], silent.getsockname()[1]
        resolver.timeout = 0.1
        names = NameServer(resolver, seconds=0.2)
        said = [(each.grade, each.finding.what) for each in look_at_domain(DOMAIN, names)]
    assert said == [(Severity.LOOK, "name server: no answer")]
