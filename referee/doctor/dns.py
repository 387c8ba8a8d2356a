"""The doctor's look at the name server: what the world is told about our mail."""

import re
from collections.abc import Iterator

from referee.doctor.report import CheckResult, fault, look, well
from referee.mail.dns import NameServer
from referee.settings import Settings, SmtpSending


def look_at_names(settings: Settings, selector: str = "") -> Iterator[CheckResult]:
    """Look up what other mail servers ask before they believe a letter of ours.

    *selector* is the name under which our mail server signs (DKIM), where it is known.
    """
    if not isinstance(settings.sending, SmtpSending):
        return
    yield from look_at_domain(settings.house.address.rpartition("@")[2], NameServer(), selector)


def look_at_domain(domain: str, names: NameServer, selector: str = "") -> Iterator[CheckResult]:
    """Look up the way to *domain*, and its SPF, DKIM and DMARC records."""
    hosts = names.ask(domain, "MX")
    if hosts is None:
        yield look("the name server does not answer", "look again from a machine that has one")
        return
    if hosts or names.ask(domain, "A") or names.ask(domain, "AAAA"):
        yield well(f"letters to {domain} go to {', '.join(hosts) or 'the host of that name'}")
    else:
        remedy = "give the domain an MX record that names your mail server"
        yield fault(f"no letter can reach {domain}: it has no MX record", remedy, "domain", domain)
    yield from _spf(domain, names.ask(domain, "TXT") or ())
    yield _dkim(f"{selector}._domainkey.{domain}", names) if selector else _unknown_selector()
    yield _dmarc(domain, names)


def _spf(domain: str, texts: tuple[str, ...]) -> Iterator[CheckResult]:
    found = [text for text in texts if text.lower().startswith("v=spf1")]
    if not found:
        remedy = f'publish a TXT record at {domain}, such as "v=spf1 mx -all"'
        yield look(f"{domain} does not say who may send for it (SPF)", remedy, "domain", domain)
    elif len(found) > 1:
        remedy = "make one of them: with two, other servers take neither"
        yield fault(f"{domain} has {len(found)} SPF records", remedy, "domain", domain)
    elif found[0].split()[-1].lower() in ("+all", "all"):
        remedy = 'end it with "-all" or "~all"'
        yield fault(f"the SPF record of {domain} lets everybody send", remedy, "domain", domain)
    else:
        yield well(f"{domain} says who may send for it: {found[0][:200]}")


def _unknown_selector() -> CheckResult:
    return look(
        "whether letters are signed (DKIM) is not seen without the selector",
        "`referee doctor dns --selector NAME` looks for the key of your mail server",
    )


def _dkim(name: str, names: NameServer) -> CheckResult:
    found = [text for text in names.ask(name, "TXT") or () if "p=" in text]
    if not found:
        remedy = "publish the TXT record that your mail server shows for this selector"
        return fault(f"there is no DKIM key at {name}", remedy, "domain", name)
    if re.search(r"(^|;)\s*p=\s*(;|$)", found[0]):
        remedy = "publish the present key, or sign with another selector"
        return fault(f"the DKIM key at {name} is withdrawn", remedy, "domain", name)
    return well(f"there is a DKIM key at {name}")


def _dmarc(domain: str, names: NameServer) -> CheckResult:
    labels = domain.split(".")
    # What a domain does not say itself, the organization's domain says for it.
    for length in range(len(labels), 1, -1):
        name = "_dmarc." + ".".join(labels[-length:])
        texts = names.ask(name, "TXT") or ()
        found = [text for text in texts if text.lower().startswith("v=dmarc1")]
        if len(found) == 1:
            return well(f"there is a DMARC record at {name}: {found[0][:200]}")
        if found:
            remedy = "make one of them: with two, other servers take neither"
            return fault(f"there are {len(found)} DMARC records at {name}", remedy, "domain", name)
    remedy = f'publish a TXT record at _dmarc.{domain}, such as "v=DMARC1; p=none"'
    return look(f"{domain} has no DMARC record", f"{remedy}; the big providers ask for it")
