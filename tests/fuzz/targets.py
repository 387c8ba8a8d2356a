"""The fuzzing targets: each reader of foreign text, its samples and its invariants."""

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from referee.domain.deadlines import Ended, next_deadline
from referee.errors import RefereeError
from referee.letters.incoming.authentication import read_results
from referee.letters.incoming.screening import Return, read_return, reported_sender
from referee.parsing.body import read_body
from referee.parsing.command_lines import find_heading, read_heading
from referee.parsing.commands import command_words
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import fold, numbered
from referee.parsing.reader import Reader
from referee.parsing.schedules import read_schedule
from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, Seat, SignUp, UserError
from referee.rulesets.starweb.text import render_printout
from referee.settings import load
from referee.testing import golden
from referee.testing.conversation import ADDRESS, Conversation
from tests.desk.reception.test_any_letter import BEGINNING, PLAYER, VOCABULARY, unread
from tests.fuzz.mutating import octets, texts
from tests.letters.incoming.test_properties import PIECES, SMALL, everything_of
from tests.rulesets.starweb.text.notation import parse_printout

TESTS = Path(__file__).parents[1]
GOLDEN = TESTS / "rulesets" / "starweb" / "golden" / "fifteen.txt"
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
HEADERS = [
    *(b"Content-Type: ", b"multipart/mixed; boundary=", b"text/html", b"; charset=", b"utf-16"),
    *(b"Content-Transfer-Encoding: base64\n", b"quoted-printable", b"=?utf-8?q?", b"?=", b"\n--"),
    *(b"From: ", b"To: ", b"Subject: ", b"References: <", b"In-Reply-To: ", b"Reply-To: ", b"@"),
    *(b"Auto-Submitted: ", b"Return-Path: <>\n", b"message/rfc822", b"message/delivery-status"),
    *(b"DKIM-Signature: v=1; a=rsa-sha256; d=", b"Authentication-Results: ", b"dkim=pass", b"\n\n"),
    *(b"\0", b"\r", b"\r\n", b"\xff\xfe", b"\xe2\x80\x8b", b"CONFIRM\n", b"CHECK\n", b"PRESS TO "),
]
GMS = (
    *("GM SW-1\n", "FRODO", "frodo@shire.example", "1 hour", "TO 0", "TURN 1", "F1[FRODO]=3"),
    *("W3 (Metal=15)", "\nEND\n", "\nCONFIRM\n", '"', "2026-10-01 12:00", "#1", "SEAT", "OF"),
)
"""Words for GMs besides the first words of commands."""
SCHEDULES = (
    "every second Friday 18:00 America/Phoenix",
    "weekdays 20:00 Europe/Berlin",
    "72 hours, not before 12:00 UTC",
)


@dataclass(frozen=True, slots=True)
class Target:
    """A reader with its source of input. *read* raises if an invariant is broken."""

    inputs: st.SearchStrategy[Any]
    read: Callable[[Any], None]


def targets() -> Mapping[str, Target]:
    """Return all targets by name."""
    letters = [file.read_bytes() for file in SMALL]
    sheets = [_sheet(text) for text in kept("orders")]
    printouts = kept("report ")
    records = [printout.partition("------------")[2] for printout in printouts]
    words = [*VOCABULARY.split(), *sorted(command_words()), *GMS]
    bodies = ["\n".join((*sheets[0].split()[:5], "PRESS TO SAM", "hello", "END", "FINAL", "> x"))]
    headings = ["GM SW-1", "SW-555 T11 [CERES] Frodo Baggins, #1234, K7QX", "Re: [SW-1 T1 FRODO]"]
    results = [
        "mx.example.org; dkim=pass (good) header.d=shire.example; spf=fail smtp.mailfrom=a@b"
    ]
    settings = [(TESTS.parent / "deploy" / "referee.toml").read_text(), _settings()]
    return {
        "letters": Target(octets(letters, HEADERS), _letter),
        "the desk, by octets": Target(octets(letters, HEADERS), _desk),
        "the desk, by words": Target(texts(bodies, words), _body),
        "orders": Target(texts(sheets, ["F1", "W2", "T3", "P", "I", "#", "Z", "=", "G"]), _orders),
        "commands": Target(texts(bodies, words) | st.lists(PIECES).map("\n".join), _commands),
        "schedules": Target(texts(SCHEDULES, " ".join(SCHEDULES).split()), _schedule),
        "headings": Target(texts(headings, ["GM", "#", "[", "]", "T1", "SW-1", ","]), _heading),
        "printouts": Target(texts(printouts, ["F1", "W3 (", ")", "[A]", "-->", "="]), _printout),
        "corrections": Target(texts(records, ["F1", "W3 (", ")", "[A]", "-->", "="]), _correction),
        "results": Target(texts(results, ["dkim=", "pass", ";", "(", ")", '"', "\\"]), _results),
        "settings": Target(texts(settings, ["[", "]", "=", '"', "[[imap]]", "1", "{", "}"]), _load),
    }


def _letter(raw: bytes) -> None:
    everything_of(raw)
    assert read_return(raw) in Return
    assert isinstance(reported_sender(raw), str)


@cache
def _running() -> Conversation:
    conversation = Conversation(installed_rulesets())
    conversation.run(BEGINNING)
    return conversation


def _desk(raw: bytes) -> None:
    running = _running()
    running.arrive(raw, running.person(PLAYER).got[-1].reply_to)
    running.arrive(raw)
    _all_read(running, raw)


def _body(text: str) -> None:
    head = f"From: {PLAYER}\nSubject: x\nContent-Type: text/plain; charset=utf-8\n\n"
    running = _running()
    raw = (head + text).encode("utf-8", "replace")
    running.arrive(raw, running.person(PLAYER).got[-1].reply_to)
    # The GM has more commands.
    running.arrive(raw.replace(PLAYER.encode(), b"gm@example.org"), ADDRESS)
    _all_read(running, raw)


def _all_read(running: Conversation, raw: bytes) -> None:
    if unread(running):
        # The letter stays, and would be blamed for the failures of later ones.
        _running.cache_clear()
        raise AssertionError(f"this letter, or what went before it, broke the reader: {raw!r}")


@cache
def _starweb() -> tuple[Ruleset[Any, Any], Any, Reader]:
    rules = installed_rulesets()["starweb"]
    seats = [SignUp(Seat(n), name, {}) for n, name in ((1, "FRODO"), (2, "SAM"))]
    state = rules.setup(
        seats, {option.name: option.default for option in rules.info.options}, Dice(b"fuzz")
    )
    return rules, state, Reader(rules.grammar(rules.phase(state)))


def _orders(text: str) -> None:
    rules, state, reader = _starweb()
    items = reader.read(text)
    lines = text.splitlines() or [""]
    orders = [item.order for item in items if isinstance(item, Parsed)]
    assert all(1 <= item.line <= len(lines) for item in items)
    again = reader.read("\n".join(rules.render(order) for order in orders))
    assert [item.order for item in again if isinstance(item, Parsed)] == orders
    assert len(rules.validate(state, Seat(1), orders)) == len(orders)
    for order in orders:
        rules.explain(state, Seat(1), order)
    rules.forecast(state, Seat(1), orders)


def _commands(text: str) -> None:
    lines = numbered(text)
    for item in read_body(lines, _starweb()[2]).items:
        assert not isinstance(item, Unparsed) or item.reason


def _schedule(text: str) -> None:
    with suppress(UserError):
        assert next_deadline(read_schedule(text), Ended(NOON, NOON, NOON, NOON)) > NOON


def _heading(text: str) -> None:
    lines = numbered(text)
    found = find_heading(lines)
    assert found is None or found in [read_heading(line) for line in lines]
    for line in lines:
        folded = fold(line.text)
        assert len(folded.columns) > len(folded.text)


def _printout(text: str) -> None:
    with suppress(UserError):
        # The end of the last line may be missing.
        assert render_printout(parse_printout(text)) == text.removesuffix("\n") + "\n"


def _correction(text: str) -> None:
    rules, state, _ = _starweb()
    with suppress(UserError):
        corrected, _effect = rules.correct(state, text)
        assert rules.view(corrected, Seat(1), "") is not None


def _results(text: str) -> None:
    read_results(text)


def _load(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "referee.toml"
        file.write_bytes(text.encode("utf-8", "replace"))
        with suppress(RefereeError):
            load(file)


def kept(what: str) -> list[str]:
    """Return the parts of a golden game that have these words in their headings."""
    parts = golden.split(GOLDEN.read_text())
    return [part for heading, part in parts.items() if f": {what}" in heading]


def _sheet(orders: str) -> str:
    return "\n".join(line for line in orders.splitlines() if not line.startswith("["))


def _settings() -> str:
    lines = (TESTS.parent / "deploy" / "referee.toml").read_text().splitlines()
    # Commented examples count, too.
    return os.linesep.join(line.removeprefix("# ") for line in lines if "=" in line or "[" in line)
