"""What is kept of a letter reads like the letter."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.decode import decode
from referee.letters.incoming.screening import KEPT_OCTETS, beginning, without_spare_headers

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.eml"))
LONG = b"From: a@b.example\r\nSubject: x\r\n\r\nF3W5\r\n" + b"x" * 3_000_000


@pytest.mark.parametrize("raw", [LONG, b"X: " * 2_000_000, b"\n\n" * 2_000_000])
def test_the_beginning_of_a_long_letter_is_kept(raw: bytes) -> None:
    kept = beginning(raw)
    assert raw.startswith(kept)
    assert KEPT_OCTETS <= len(kept) <= 2 * KEPT_OCTETS
    assert beginning(kept) == kept


def test_the_header_and_the_first_lines_of_a_long_letter_can_be_read() -> None:
    letter = decode(beginning(LONG))
    assert (letter.subject, letter.senders[0].address) == ("x", "a@b.example")
    assert letter.text.startswith("F3W5")


def test_a_letter_that_can_be_read_is_kept_whole() -> None:
    raw = LONG[:2_000_000]
    assert beginning(raw) is raw


def test_headers_of_its_way_and_signatures_are_dropped() -> None:
    raw = (
        b"Received: from a\r\n\tby b; today\r\nDKIM-Signature: v=1;\r\n b=x\r\n"
        b"From: a@b.example\r\n"
        b"Subject: orders\r\n for SW-1\r\nX-Spam-Score: 3\r\n\r\nX-Spam: body\r\n"
    )
    assert without_spare_headers(raw) == (
        b"From: a@b.example\r\nSubject: orders\r\n for SW-1\r\n\r\nX-Spam: body\r\n"
    )


def test_a_letter_reads_the_same_without_spare_headers() -> None:
    for file in CORPUS:
        raw = file.read_bytes()
        before, after = decode(raw), decode(without_spare_headers(raw))
        for part in ("text", "subject", "senders", "recipients", "message_id", "references"):
            assert (file, getattr(after, part)) == (file, getattr(before, part))


@given(st.binary())
def test_no_letter_gets_longer_or_loses_its_body(raw: bytes) -> None:
    kept = without_spare_headers(raw)
    assert len(kept) <= len(raw)
    assert raw.endswith(kept[kept.find(b"\n\n") :]) or kept == raw
