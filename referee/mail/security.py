"""How a connection to a mail server is protected."""

from enum import Enum


class Security(Enum):
    """The three ways to speak to an IMAP or SMTP server."""

    TLS = "tls"
    """TLS from the first byte (ports 993 and 465)."""
    STARTTLS = "starttls"
    """Plain first, then TLS before anything of ours is said (ports 143 and 587)."""
    NONE = "none"
    """Never protected: for a server on this machine only."""
