"""Properties: any bytes give a letter quickly, and any text gives its own lines."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.decode import decode
from referee.letters.incoming.html_text import text_of_markup
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.press_marks import is_press
from referee.letters.incoming.program_text import without_links
from referee.letters.incoming.screening import Screening, screen
from tests.support.examples import examples, mostly_slow
from tests.support.seen import own_text

SMALL = sorted(
    path for path in (Path(__file__).parents[1] / "corpus").iterdir() if path.stat().st_size < 5_000
)
UNHURRIED = examples(150, unchecked=True)

PIECES = st.sampled_from(
    (
        "PRESS TO A", "END", "> x", ">> ", "-- ", "--", "", "On Mon 5 2026 10:00 a@b wrote:",
        "wrote:", "From: a@b", "Sent: x", "To: y", "Subject: z", "____________", "STANDING",
        "F3W5", "On 5 May", "Reply above this line", "Sent from my iPhone",
        "This e-mail is confidential, ok", "\u200b>", "begin 644 x", "end", "x <tel:5>",
        "-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----",
    )
)  # fmt: skip


def everything_of(raw: bytes) -> Letter:
    letter = decode(raw)
    own = own_text(letter.text)
    lines = letter.text.split("\n")
    filled = {number for number, line in enumerate(lines, 1) if line.strip()}
    kept = filled & {line.number for line in own.lines}
    encoded = filled & {at for block in own.encoded for at in range(block.first, block.last + 1)}
    others = own.quoted + own.signature + own.disclaimer
    assert len(kept) + len(encoded) + others == len(filled)
    for line in own.lines:
        typed = lines[line.number - 1]
        # Words can share their line with an attribution behind them.
        is_begun = line.text.strip() and typed.startswith(line.text)
        assert is_begun or line.text in (typed, without_links(typed))
    assert screen(letter, raw, "", "token") in Screening
    assert "\n" not in letter.subject
    assert "\r" not in letter.text
    return letter


@UNHURRIED
@given(st.binary(max_size=2_000))
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    everything_of(raw)


@UNHURRIED
@given(st.data())
def test_a_damaged_letter_is_a_letter(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from(SMALL)).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 40)))
        raw[start:end] = data.draw(st.binary(max_size=12) | st.just(bytes(raw[end : end + 60])))
    everything_of(bytes(raw))


@UNHURRIED
@given(st.lists(PIECES | st.text(max_size=20), max_size=60))
def test_every_line_of_any_text_is_accounted_for(lines: list[str]) -> None:
    everything_of(b"\n" + "\n".join(lines).encode("utf-8", "replace"))


@UNHURRIED
@given(st.text(alphabet="<>/=\"' abdivpretlocku&;#\n", max_size=400))
def test_any_markup_has_a_text(markup: str) -> None:
    assert "\r" not in text_of_markup(markup)


@UNHURRIED
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60), max_size=20))
def test_press_up_to_its_end_is_whole(lines: list[str]) -> None:
    words = ("PRESS", "SIGN", "STANDING", "BROADCAST", "CORRECT", "END")
    press = [
        line
        for line in lines
        if not line.strip().upper().startswith(words)
        and "reply above" not in line.lower()
        # What is directly below a marked line can have been broken off it.
        and not is_press(line)
    ]
    text = "\n".join(["PRESS TO MARS", *press, "END"])
    assert "\n".join(line.text for line in own_text(text).lines) == text


MONSTERS = {
    "one line of a megabyte": b"\n" + b"F3W5 " * 200_000,
    "a hundred thousand lines": b"\n" + b"F3W5\n" * 100_000,
    "fifty megabytes": b"Subject: big\n\n" + b"F3W5 F4W6 F5W7\n" * 3_500_000,
    "half a million boundaries": b"Content-Type: multipart/mixed; boundary=x\n\n"
    + b"--x\n\n" * 500_000,
    "a hundred thousand encoded words": b"Subject: " + b"=?utf-8?b?SsO8?= " * 100_000,
    "open elements": b"Content-Type: text/html\n\n" + b"<div>" * 300_000,
    "open formatting": b"Content-Type: text/html\n\n" + b"<b><p>" * 100_000,
    "parameters": b"Content-Type: text/plain" + b';a="' * 20_000 + b"\n\nhi",
    "signature lines": b"\n" + b"--\n" * 50_000,
    "days": b"\n" + b"On Monday\n" * 50_000,
    "senders": b"\n" + (b"2026 10:00 " + b"a@a." * 97 + b":\n") * 2_500,
    "verbs": b"\n" + (b"2026 10:00 " + b"wrote - " * 48 + b":\n") * 2_500,
    "rules": b"\n" + b"____________\n\n" * 50_000,
    "soft breaks": b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 500_000,
    "blocks": b"\n" + b"-----BEGIN PGP MESSAGE-----\n" * 30_000,
    "links": b"\n" + b"<http:" * 100_000 + b"\n[http:|" * 50_000,
    "armour": b"\n" + b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 30_000,
}


@pytest.mark.parametrize("name", mostly_slow(MONSTERS))
def test_a_monster_is_read_soon(name: str) -> None:
    # The slowest takes half a second; quadratic time would need minutes.
    start = time.perf_counter()
    own_text(decode(MONSTERS[name]).text)
    assert time.perf_counter() - start < 30


def test_a_text_that_is_too_long_is_cut_and_reported() -> None:
    letter = decode(b"Subject: orders\n\n" + b"F3W5\n" * 100_000)
    assert letter.text == "\n".join(["F3W5"] * 10_000)
    assert [refused.name for refused in letter.refused] == ["The letter"]
