"""Networks: who hands an email over to a server of ours."""

from contextlib import suppress
from ipaddress import ip_address, ip_network


def public_network(address: str, own: str = "") -> str:
    """Return the /24 or the /48 of an address, "" if it is no public one or our *own*."""
    with suppress(ValueError):
        found = ip_address(address)
        found = getattr(found, "ipv4_mapped", None) or found
        if found.is_global and address != own:
            return str(ip_network((found, 24 if found.version == 4 else 48), strict=False))
    return ""
