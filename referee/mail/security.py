"""How a connection to a mail server is protected, and how we say there who we are."""

from enum import Enum


class Security(Enum):
    """The three ways to speak to an IMAP or SMTP server."""

    TLS = "tls"
    """TLS from the first byte (ports 993 and 465)."""
    STARTTLS = "starttls"
    """Plain first, then TLS before anything of ours is said (ports 143 and 587)."""
    NONE = "none"
    """Never protected: for a server on this machine only."""


class Login(Enum):
    """What proves who we are."""

    PASSWORD = "password"  # noqa: S105 - a kind of login
    TOKEN = "token"  # noqa: S105
    """An OAuth 2.0 access token, told by the SASL mechanism XOAUTH2."""


def xoauth2(user: str, token: str) -> str:
    """Return the words of XOAUTH2, before they are written in base64."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01"
