"""The doctor's look at the name server: what the world is told about our mail."""

from collections.abc import Iterator

from referee.doctor.report import Said, fault, look, well
from referee.mail.dns import NameServer
from referee.settings import Settings, SmtpSending


def look_at_names(settings: Settings) -> Iterator[Said]:
    """Look up what other mail servers ask before they believe a letter of ours."""
    if not isinstance(settings.sending, SmtpSending):
        return
    yield from look_at_domain(settings.house.address.rpartition("@")[2], NameServer())


def look_at_domain(domain: str, names: NameServer) -> Iterator[Said]:
    """Look up the way to *domain*, and its SPF and DMARC records."""
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
    yield from _dmarc(domain, names.ask(f"_dmarc.{domain}", "TXT") or ())
    yield look(
        "whether letters are signed (DKIM) is not seen from here",
        "write to an address elsewhere and look for dkim=pass in Authentication-Results",
    )


def _spf(domain: str, texts: tuple[str, ...]) -> Iterator[Said]:
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


def _dmarc(domain: str, texts: tuple[str, ...]) -> Iterator[Said]:
    found = [text for text in texts if text.lower().startswith("v=dmarc1")]
    if len(found) == 1:
        yield well(f"{domain} has a DMARC record: {found[0][:200]}")
        return
    words = f"{domain} has {len(found) or 'no'} DMARC record{'s' if len(found) > 1 else ''}"
    remedy = f'publish one TXT record at _dmarc.{domain}, such as "v=DMARC1; p=none"'
    yield look(words, f"{remedy}; the big providers ask for it", "domain", f"_dmarc.{domain}")
