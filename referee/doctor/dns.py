"""DNS checks: what other mail servers find about our mail."""

import re
from collections.abc import Iterator

from referee.doctor.report import CheckResult, fault, look, well
from referee.mail.dns import NameServer
from referee.settings import Settings, SmtpSending


def look_at_names(settings: Settings, selector: str = "") -> Iterator[CheckResult]:
    """Check the DNS records that other mail servers use to accept our mail.

    *selector* is the name under which our mail server signs (DKIM), if known.
    """
    if not isinstance(settings.sending, SmtpSending):
        return
    yield from look_at_domain(settings.site.address.rpartition("@")[2], NameServer(), selector)


def look_at_domain(domain: str, names: NameServer, selector: str = "") -> Iterator[CheckResult]:
    """Check the MX of *domain*, and its SPF, DKIM and DMARC records."""
    hosts = names.ask(domain, "MX")
    if hosts is None:
        yield look("name server: no answer", "run this on a machine that can reach one")
        return
    if hosts or names.ask(domain, "A") or names.ask(domain, "AAAA"):
        yield well(f"{domain}: mail goes to {', '.join(hosts) or 'the host of that name'}")
    else:
        remedy = "publish an MX record with the name of your mail server"
        yield fault(f"{domain}: no MX record, so no mail can arrive", remedy, "domain", domain)
    yield from _spf(domain, names.ask(domain, "TXT") or ())
    yield _dkim(f"{selector}._domainkey.{domain}", names) if selector else _unknown_selector()
    yield _dmarc(domain, names)


def _spf(domain: str, texts: tuple[str, ...]) -> Iterator[CheckResult]:
    found = [text for text in texts if text.lower().startswith("v=spf1")]
    if not found:
        remedy = f'publish a TXT record at {domain}, such as "v=spf1 mx -all"'
        yield look(f"{domain}: no SPF record", remedy, "domain", domain)
    elif len(found) > 1:
        remedy = "merge them into one: other servers ignore both"
        yield fault(f"{domain}: {len(found)} SPF records", remedy, "domain", domain)
    elif found[0].split()[-1].lower() in ("+all", "all"):
        remedy = 'end it with "-all" or "~all"'
        yield fault(f"{domain}: the SPF record allows everybody to send", remedy, "domain", domain)
    else:
        yield well(f"{domain}: SPF record: {found[0][:200]}")


def _unknown_selector() -> CheckResult:
    return look(
        "DKIM: cannot be checked without the selector",
        "run `referee doctor dns --selector NAME`",
    )


def _dkim(name: str, names: NameServer) -> CheckResult:
    found = [text for text in names.ask(name, "TXT") or () if "p=" in text]
    if not found:
        remedy = "publish the TXT record that your mail server shows for this selector"
        return fault(f"{name}: no DKIM key", remedy, "domain", name)
    if re.search(r"(^|;)\s*p=\s*(;|$)", found[0]):
        remedy = "publish the current key, or sign with another selector"
        return fault(f"{name}: the DKIM key is revoked", remedy, "domain", name)
    return well(f"{name}: DKIM key found")


def _dmarc(domain: str, names: NameServer) -> CheckResult:
    labels = domain.split(".")
    # A domain without a record of its own uses the one of its organization's domain.
    for length in range(len(labels), 1, -1):
        name = "_dmarc." + ".".join(labels[-length:])
        texts = names.ask(name, "TXT") or ()
        found = [text for text in texts if text.lower().startswith("v=dmarc1")]
        if len(found) == 1:
            return well(f"{name}: DMARC record: {found[0][:200]}")
        if found:
            remedy = "merge them into one: other servers ignore both"
            return fault(f"{name}: {len(found)} DMARC records", remedy, "domain", name)
    remedy = f'publish a TXT record at _dmarc.{domain}, such as "v=DMARC1; p=none"'
    return look(f"{domain}: no DMARC record", f"{remedy}; large providers require it")
