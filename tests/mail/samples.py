"""Letters, certificates and clocks for several tests."""

import ssl
from datetime import UTC, datetime
from pathlib import Path

from referee.domain.mail_transfer import OutgoingMail

CERTIFICATE = Path(__file__).parent / "localhost.pem"
"""A certificate for localhost with its key, only for these tests."""

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
    """Return always the same moment."""
    return NOW


def letter(number: int, recipient: str = "frodo@shire.example", raw: bytes = RAW) -> OutgoingMail:
    """Return a finished letter of ours."""
    return OutgoingMail(
        number, f"<{number}@referee.example>", "games@referee.example", recipient, raw
    )


def server_context() -> ssl.SSLContext:
    """Return a TLS context for a server named localhost."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def client_context() -> ssl.SSLContext:
    """Return a TLS context for a client that trusts only the test certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(CERTIFICATE)
    return context
