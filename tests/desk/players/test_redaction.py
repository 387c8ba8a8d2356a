"""Redaction of emails: no code and no token is left, and everything else is."""

import pytest

from referee.desk.players.redaction import redacted
from referee.domain.trust import SeatToken, sign

TOKEN = sign(SeatToken(3, 1, "i12answer", 4), b"key")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  Security code: K7QX2ABC", "  Security code: (security code)"),
        (
            "  Security code, shown this one time only: K7QX2ABC",
            "  Security code, shown this one time only: (security code)",
        ),
        ("SW-1 [SAM], #1003, K7QX2ABC", "SW-1 [SAM], #1003, (security code)"),
        ("> sw-1 t3 [SAM] Sam, #1003, k7qx2abc", "> sw-1 t3 [SAM] Sam, #1003, (security code)"),
        ("SW-1 K7QX2ABC\r\n", "SW-1 (security code)\r\n"),
        (f"Reply-To: <games+{TOKEN}@here>", "Reply-To: <games+(token)@here>"),
        (f"Message-ID: <{TOKEN.upper()}@here>", "Message-ID: <(token)@here>"),
        (
            "SW-1 T3 [SAM]\nF3W75\nACCEPTED #5, replaces 2",
            "SW-1 T3 [SAM]\nF3W75\nACCEPTED #5, replaces 2",
        ),
    ],
)
def test_secrets_are_left_out_of_an_email(line: str, shown: str) -> None:
    assert redacted(line) == shown
