"""Redaction of emails: no code and no token is left, and everything else is."""

from base64 import encodebytes

import pytest

from referee.desk.players.privacy import redacted
from referee.domain.tokens import Kind, Place, Token, sign

LEFT_OUT = "(a file or text with a code or a reply address)"
TOKEN = sign(Token(Kind.SEAT, 3, 1, 4, "i12answer"), Place.REPLY_TO, b"key")


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
        ("> SW-1 [SAM], #1003, K7Q=\r\nX2ABC\r\n", "> SW-1 [SAM], #1003, (security code)\r\n"),
        (
            "F3W75=\n F8W9 Your security code: K7=\nQX2=\nABC",
            "F3W75 F8W9 Your security code: (security code)",
        ),
        (f"games+{TOKEN[:9]}=\n{TOKEN[9:]}@here", "games+(token)@here"),
        (
            "<p>SW-1&nbsp;[SAM], #1003, K7QX2ABC</p>",
            "<p>SW-1&nbsp;[SAM], #1003, (security code)</p>",
        ),
        ("SW-1 <b>[SAM]</b>, #1003, K7QX2ABC", "SW-1 <b>[SAM]</b>, #1003, (security code)"),
        ("a long line=\n of words", "a long line=\n of words"),
        (
            "SW-1 T3 [SAM]\nF3W75\nACCEPTED #5, replaces 2",
            "SW-1 T3 [SAM]\nF3W75\nACCEPTED #5, replaces 2",
        ),
    ],
)
def test_secrets_are_left_out_of_an_email(line: str, shown: str) -> None:
    assert redacted(line) == shown


@pytest.mark.parametrize("before", range(3))
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_with_a_token_is_left_out_of_an_email(before: int, end: str) -> None:
    """Shift the token in the file, so that each of its three forms in base64 comes once."""
    content = b"x" * before + f'"reply_to":"games+{TOKEN}@here"'.encode() + b" and more" * 20
    lines = encodebytes(content).decode().replace("\n", end)
    assert redacted(f"Head{end}{end}{lines}--=_b") == f"Head{end}{end}{LEFT_OUT}\n--=_b"


@pytest.mark.parametrize("secret", ["SW-1 [SAM], #1003, K7QX2ABC", f"> to games+{TOKEN}@here"])
def test_a_text_with_a_code_or_token_is_left_out_of_an_email(secret: str) -> None:
    lines = encodebytes(f"{secret}\r\nF3W75\r\n".encode()).decode()
    assert redacted(f"Head\n\n{lines}\n--=_b") == f"Head\n\n{LEFT_OUT}\n\n--=_b"


def test_another_file_stays_in_an_email() -> None:
    lines = encodebytes(b"a map of 100 worlds, and more of it" * 9).decode()
    assert redacted(f"Head\n\n{lines}--=_b") == f"Head\n\n{lines}--=_b"
