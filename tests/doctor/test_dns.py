"""The doctor on DNS: what is missing for our letters to be believed."""

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


def test_a_domain_that_says_everything_is_well() -> None:
    assert told({**MX, **SPF, **DKIM, **DMARC}, "s1") == [
        (Severity.WELL, f"letters to {DOMAIN} go to mail.example.org"),
        (Severity.WELL, f"{DOMAIN} says who may send for it: v=spf1 mx -all"),
        (Severity.WELL, f"there is a DKIM key at {KEY}"),
        (Severity.WELL, f"there is a DMARC record at _dmarc.{DOMAIN}: v=DMARC1; p=none"),
    ]


def test_a_host_of_the_name_takes_letters_where_no_mx_says_otherwise() -> None:
    said = told({(DOMAIN, "A"): ("192.0.2.1",)})
    assert said[0] == (Severity.WELL, f"letters to {DOMAIN} go to the host of that name")


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ({}, f"no letter can reach {DOMAIN}: it has no MX record"),
        (
            {**MX, (DOMAIN, "TXT"): ('"v=spf1 mx -all"', '"v=spf1 a -all"')},
            f"{DOMAIN} has 2 SPF records",
        ),
        (
            {**MX, (DOMAIN, "TXT"): ('"v=spf1 +all"',)},
            f"the SPF record of {DOMAIN} lets everybody send",
        ),
        (
            {**MX, (f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=none"', '"v=DMARC1; p=reject"')},
            f"there are 2 DMARC records at _dmarc.{DOMAIN}",
        ),
        (MX, f"there is no DKIM key at {KEY}"),
        ({**MX, (KEY, "TXT"): ('"v=DKIM1; p="',)}, f"the DKIM key at {KEY} is withdrawn"),
    ],
)
def test_what_keeps_letters_from_arriving_must_be_mended(records: Records, words: str) -> None:
    assert (Severity.FAULT, words) in told(records, "s1")


def test_the_organizations_domain_speaks_for_those_below_it() -> None:
    said = told({**MX, ("_dmarc.example.org", "TXT"): ('"v=DMARC1; p=reject"',)})
    words = "there is a DMARC record at _dmarc.example.org: v=DMARC1; p=reject"
    assert (Severity.WELL, words) in said


def test_what_is_missing_for_being_believed_is_told() -> None:
    said = told(MX)
    assert (Severity.LOOK, f"{DOMAIN} does not say who may send for it (SPF)") in said
    assert (Severity.LOOK, f"{DOMAIN} has no DMARC record") in said
    unseen = "whether letters are signed (DKIM) is not seen without the selector"
    assert (Severity.LOOK, unseen) in said


def test_a_name_server_that_is_not_there_hinders_nothing() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], silent.getsockname()[1]
        resolver.timeout = 0.1
        names = NameServer(resolver, seconds=0.2)
        said = [(each.grade, each.finding.what) for each in look_at_domain(DOMAIN, names)]
    assert said == [(Severity.LOOK, "the name server does not answer")]
