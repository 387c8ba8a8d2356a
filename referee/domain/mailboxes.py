"""The mailbox of an address: addresses that differ only in how they are written share it."""

from typing import Final

_GMAIL: Final = ("gmail.com", "googlemail.com")


def mailbox_of(address: str) -> str:
    """Return the mailbox that an email to the address reaches.

    What follows a plus does not count; Gmail also ignores dots and has two domains. The mailbox
    decides only who is the same person. Emails go to the address as it is.
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0]
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    return f"{local}@{domain}"
