"""Protection of connections to mail servers, and authentication there."""

from enum import Enum


class Security(Enum):
    """The protection of a connection to an IMAP or SMTP server."""

    TLS = "tls"
    """TLS from the first byte (ports 993 and 465)."""
    STARTTLS = "starttls"
    """Unencrypted at first, then TLS before any data of ours (ports 143 and 587)."""
    NONE = "none"
    """Unencrypted, only for a server on this machine."""


class Login(Enum):
    """The kind of credentials."""

    PASSWORD = "password"  # noqa: S105 - a kind of login
    TOKEN = "token"  # noqa: S105
    """An OAuth 2.0 access token, for the SASL mechanism XOAUTH2."""


def xoauth2(user: str, token: str) -> str:
    """Return the XOAUTH2 message before its base64 encoding."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01"
