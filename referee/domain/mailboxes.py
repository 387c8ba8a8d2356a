"""The mailbox of an address: addresses that differ only in how they are written share it."""

import re
from typing import Final

_GMAIL: Final = ("gmail.com", "googlemail.com")
_YAHOO: Final = re.compile(r"(yahoo(\.com?)?\.[a-z]{2,3}|ymail\.com|rocketmail\.com)")


def mailbox_of(address: str) -> str:
    """Return the mailbox that an email to the address reaches.

    What follows a plus does not count, nor what follows a hyphen at Yahoo, whose names have none;
    Gmail also ignores dots and has two domains. The mailbox decides who is the same person, so a
    reply is its player's from any of its addresses. Emails go to the address as it is.
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0]
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    if _YAHOO.fullmatch(domain):
        local = local.partition("-")[0]
    return f"{local}@{domain}"
