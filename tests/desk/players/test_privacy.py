"""Redaction of emails: no code and no token is left, and everything else is."""

import sys
from base64 import b64encode, encodebytes

import pytest

from referee.desk.players.privacy import redacted, shown
from referee.domain.effort import Effort
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
        ("SW-1 [SAM], <b>#1003</b>, k7qx2abc<br>", "SW-1 [SAM], <b>#1003</b>, (security code)<br>"),
        ("<b>SW-1 K7&#81;X2ABC</b><i>words", "<b>(security code)</b><i>words"),
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


def calls(text: str) -> int:
    """Return how many functions are called while the codes in *text* are searched for."""
    called = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        redacted(text)
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("part", ["<b>GM SW-1, ABCDEFG2", "<SW-1 ABCDEFG2>\n", "words=\n"])
def test_a_line_of_many_parts_costs_as_many_searches(part: str) -> None:
    assert calls(part * 2_000) < 2.5 * calls(part * 1_000)


def test_each_part_of_a_line_loses_its_code_by_a_search_of_that_part() -> None:
    line = "".join(f"<b>GM SW-1, A{number:06}2" for number in range(500))
    assert redacted(line) == "<b>GM SW-1, (security code)" * 500


def encoded(text: str, times: int) -> str:
    """Return *text* in base64, encoded *times* times, with a broken line behind each."""
    octets = text.encode()
    for _ in range(times):
        octets = b64encode(octets) + b"=\n"
    return octets.decode()


def test_what_is_encoded_many_times_is_left_out_and_costs_little() -> None:
    inner = "The words of a player.\n"
    assert redacted(encoded(inner, 4)) == encoded(inner, 4)
    assert redacted(encoded(inner, 5)) == f"{LEFT_OUT}\n"
    assert calls(encoded(inner, 16)) < 2 * calls(encoded(inner, 8))


def test_emails_that_take_too_long_are_left_out_and_the_newest_are_shown() -> None:
    seconds = iter(range(100))
    effort = Effort(lambda: float(next(seconds)), lambda: 0)
    stored = {"inbox": [{"id": number, "text": "words"} for number in range(9)]}
    found = shown(stored, effort)["inbox"]
    assert [row["text"] for row in found] == [None] * 5 + ["words"] * 4
    assert [row["id"] for row in found] == [*range(9)]
