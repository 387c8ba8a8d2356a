"""Letters, certificates and clocks that several tests use."""

import ssl
from datetime import UTC, datetime
from pathlib import Path

from referee.domain.mail_transfer import OutgoingMail

CERTIFICATE = Path(__file__).parent / "localhost.pem"
"""A certificate for localhost with its key, good for nothing but these tests."""

NOW = datetime(2026, 9, 17, 21, 4, tzinfo=UTC)

RAW = (
    b"From: frodo@shire.example\r\n"
    b"To: games@referee.example\r\n"
    b"Subject: [SW-555 T11 CERES]\r\n"
    b"Message-ID: <1@shire.example>\r\n"
    b"\r\n"
    b"F3T1P\r\n"
    b".hidden\r\n"
    b"J\xc3\xbcrgen\r\n"
)


def clock() -> datetime:
    """Give always the same moment."""
    return NOW


def letter(number: int, recipient: str = "frodo@shire.example", raw: bytes = RAW) -> OutgoingMail:
    """Give a finished letter of ours."""
    return OutgoingMail(
        number, f"<{number}@referee.example>", "games@referee.example", recipient, raw
    )


def server_context() -> ssl.SSLContext:
    """Give TLS for a server that calls itself localhost."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def client_context() -> ssl.SSLContext:
    """Give TLS for a client that knows the test certificate and no other."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(CERTIFICATE)
    return context
