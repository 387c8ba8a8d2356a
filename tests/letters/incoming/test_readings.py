"""Readings of a letter: it counts as proven only if nobody can make it read otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.decode import text_in
from referee.letters.incoming.readings import has_one_reading
from tests.support.examples import examples

OPEN = frozenset({"content-type", "content-transfer-encoding"})
PLAIN = "text/plain"
FLOWED = "text/plain; format=flowed"
MIXED = 'multipart/mixed; boundary="b"'
ALTERNATIVE = 'multipart/alternative; boundary="b"'
HTML = "text/html"
PARTS = "--b\nContent-Type: text/plain\n\nF1W2\n--b\nContent-Type: text/html\n\n<p>F1W2\n--b--\n"


def letter(kind: str, body: str, encoding: str = "7bit") -> bytes:
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}".encode()


@pytest.mark.parametrize(
    ("kind", "encoding", "body", "expected"),
    [
        (PLAIN, "7bit", "F1W2\nF3W4\n", True),
        (PLAIN, "quoted-printable", "F1W2\nF3W4\n", True),
        (FLOWED, "7bit", "F1W2\n> F3W4\n", True),
        (PLAIN + "; charset=utf-8", "8bit", "Größe\nF1W2\n", True),
        (PLAIN, "7bit", "F1W2 \nF3W4\n", False),
        (PLAIN, "7bit", "F1W2=\nF3W4\n", False),
        (PLAIN, "7bit", "x=3D1\n", False),
        (HTML, "7bit", "<p>F1W2</p>\n", False),
        (PLAIN, "7bit", "<p>F1W2</p>\n", False),
        (ALTERNATIVE, "7bit", PARTS, True),
        (MIXED, "7bit", PARTS, True),
        (PLAIN, "7bit", PARTS, False),
        (MIXED.replace('"b"', '"c"'), "7bit", PARTS + "--c\n\nF9W9\n--c--\n", False),
        (MIXED, "7bit", f"A preamble.\n{PARTS}", False),
        (MIXED, "7bit", "--b\n\nF1W2\n--b--\n", False),
    ],
)
def test_a_text_has_one_reading(kind: str, encoding: str, body: str, *, expected: bool) -> None:
    assert has_one_reading(letter(kind, body, encoding), OPEN) is expected


def test_a_signed_type_has_one_reading() -> None:
    raw = letter(HTML, "<p>F1W2</p>\n")
    assert has_one_reading(raw, frozenset()) is True
    assert has_one_reading(raw, frozenset({"content-transfer-encoding"})) is True
    encoded = letter(HTML, "<p class=3D>F1W2</p>=\n")
    assert has_one_reading(encoded, frozenset({"content-transfer-encoding"})) is False


PIECES = ("F1W2\n", "F1W2 \n", "> F9W9\n", "=\n", "=46\n", "\n", "-- \n", "Content-Type: x\n")


@examples(300)
@given(
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.sampled_from([PLAIN, FLOWED, FLOWED + "; delsp=yes"]),
    st.sampled_from([PLAIN, FLOWED, HTML, ALTERNATIVE, MIXED, PLAIN + "; charset=utf-16"]),
    st.sampled_from(["7bit", "quoted-printable"]),
    st.sampled_from(["7bit", "quoted-printable", "base64"]),
)
def test_nobody_can_change_a_text_that_has_one_reading(
    body: str, kind: str, other_kind: str, encoding: str, other_encoding: str
) -> None:
    changed = letter(other_kind, body, other_encoding)
    if has_one_reading(changed, OPEN):
        written = text_in(letter(kind, body, encoding))
        read = text_in(changed)
        assert [line.rstrip() for line in read.split("\n")] == [
            line.rstrip() for line in written.split("\n")
        ]
