"""Golden games: whole games kept as files, to be played again and compared.

A file has all order sheets, so that the game is played again without robots. A few reports are kept
as text, which a person can compare; of every other report there is a digest.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from referee.errors import named_faults
from referee.parsing.reader import read_orders
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.news import completed, opened
from referee.rules.ruleset import (
    Event,
    Grammar,
    Outcome,
    Resolution,
    Ruleset,
    Seat,
    SignUp,
    UserError,
)
from referee.rules.stewards import orders_unsent
from referee.rules.wording import listed

DEADLINE: Final = "Friday, September 19 at 6:00 PM MST"
"""The deadline that every report of a golden game shows."""
SHOWN: Final = 8
"""The number of turns, from the first, in which reports are kept as text."""
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for an order sheet: whose, of what turn, and what it can be written from."""

    turn: int
    seat: Seat
    name: str
    report: str
    state: Any


Writer = Callable[[Asked], str]
"""Returns the order sheet that is asked for. It is empty if the seat sends nothing."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a game: everything that decides the game except the orders."""

    seats: Sequence[SignUp]
    options: Mapping[str, int | str | bool]
    seed: bytes


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played: all reports and orders, by the seats' names.

    The turns are counted from 1, however the rules number them. After the last turn there are only
    reports, and the final standings if the game has ended.
    """

    turn: int
    state: Any
    reports: Mapping[str, str]
    sheets: Mapping[str, str]
    done: tuple[str, ...] = ()
    """The orders that were sent and carried out, in the sequence of the seats."""
    failed: tuple[str, ...] = ()
    """The orders that failed."""
    missed: frozenset[str] = frozenset()
    """The seats that had to send orders and sent none."""
    standing: str = ""
    events: Sequence[Event] = ()
    """The events that the reports tell: those of the turn before."""


def play(
    rules: Ruleset[Any, Any], beginning: Beginning, write: Writer, turns: int
) -> Iterator[Played]:
    """Play *turns* turns, or to the end of the game; yield each, and last the final reports.

    Raises PluginError, with turn and seat, if an order cannot be read, if rules reject the
    beginning, or if they or robots raise an exception that has a note.
    """
    dice = Dice(beginning.seed)
    names = {seat.seat: seat.name for seat in beginning.seats}
    with placed("the beginning"):
        state = rules.setup(beginning.seats, rules.info.chosen(beginning.options), dice)
    events: Sequence[Event] = ()
    before: Counter[Seat] = Counter()
    for turn in count(1):
        with placed(f"turn {turn}"):
            if turn > turns or rules.verdict(state) is not None:
                yield _last(rules, state, events, names, turn)
                return
            reports = _reports(rules, state, events, names)
            sheets = {
                name: write(Asked(turn, seat, name, reports[name], state))
                for seat, name in names.items()
            }
            phase = rules.phase(state)
            grammar = rules.grammar(phase)
            orders = {s: _orders(grammar, name, sheets[name]) for s, name in names.items()}
            orders = {seat: read for seat, read in orders.items() if sheets[names[seat]]}
            missed = phase.awaiting - orders.keys()
            silent = {
                seat: orders_unsent(rules, state, seat, before[seat]) for seat in sorted(missed)
            }
            before = Counter({seat: before[seat] + 1 for seat in missed})
            resolved = rules.resolve(state, {**orders, **silent}, missed, dice)
            resolution = completed(rules, state, resolved, names)
            outcomes = _outcomes(resolution, {seat: names[seat] for seat in orders})
        yield Played(
            turn,
            state,
            reports,
            sheets,
            done=tuple(rules.render(order) for order, outcome in outcomes if outcome.done),
            failed=tuple(rules.render(order) for order, outcome in outcomes if not outcome.done),
            missed=frozenset(names[seat] for seat in missed),
            events=events,
        )
        state, events = resolution.state, resolution.events


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Raise PluginError, with the place, for a UserError and an exception that has a note."""
    with named_faults(f"{place}, "):
        try:
            yield
        except UserError as mistake:
            mistake.add_note(str(mistake))
            raise


def _orders(grammar: Grammar, name: str, sheet: str) -> tuple[Any, ...]:
    try:
        return read_orders(grammar, sheet)
    except UserError as mistake:
        raise UserError(f"the sheet of {name}, {mistake}") from mistake


def _outcomes(
    resolution: Resolution[Any, Any], names: Mapping[Seat, str]
) -> list[tuple[Any, Outcome]]:
    """Return the outcomes of the orders of these seats. Raises UserError if one has none."""
    for seat, name in names.items():
        if seat not in resolution.outcomes:
            raise UserError(f"resolve returns no outcomes for the orders of {name}")
    return [each for seat in names for each in resolution.outcomes[seat]]


def contents(played: Sequence[Played], followed: Container[str]) -> str:
    """Return the contents of the file of a game that was *played*.

    The reports of the seats *followed* are kept as text in the first turns, and after the last.
    Raises ValueError if a line would be read as a heading or a name.
    """
    parts = dict[str, str]()
    for turn in played:
        shown = turn.turn <= SHOWN or turn is played[-1]
        for heading, content in _parts(turn, followed if shown else ()).items():
            parts[f"turn {turn.turn}: {heading}"] = content
    return join(parts)


def _parts(turn: Played, followed: Container[str]) -> dict[str, str]:
    """Return the parts of a turn by their headings."""
    parts = {f"report {name}": turn.reports[name] for name in turn.reports if name in followed}
    others = [name for name in turn.reports if name not in followed]
    digests = "".join(f"{_digest(turn.reports[name])} {name}\n" for name in others)
    rest = {"digests": digests, "orders": _join_sheets(turn.sheets), "standing": turn.standing}
    return {**parts, **{heading: content for heading, content in rest.items() if content}}


def _digest(report: str) -> str:
    return hashlib.sha256(report.encode()).hexdigest()[:_DIGITS]


def repeating(kept: str, beginning: Beginning) -> Writer:
    """Return the writer that repeats the sheets in the contents of a file.

    Raises UserError if somebody has a sheet who does not play.
    """
    parts, names = split(kept), {signup.name for signup in beginning.seats}
    sheets = {key: _split_sheets(part) for key, part in parts.items() if key.endswith(": orders")}
    for key, sent in sheets.items():
        if strangers := sent.keys() - names:
            raise UserError(f"{key} has a sheet of {listed(sorted(strangers))}, who does not play")
    return lambda asked: sheets.get(f"turn {asked.turn}: orders", {}).get(asked.name, "")


def differences(now: str, kept: str) -> list[str]:
    """Return the headings in which the contents of two files differ; a digest has its report's."""
    ours, theirs = _by_report(now), _by_report(kept)
    return [each for each in {**ours, **theirs} if ours.get(each) != theirs.get(each)]


def _by_report(kept: str) -> dict[str, str]:
    """Return the parts of a file with each digest as the part of a report."""
    parts = dict[str, str]()
    for heading, content in split(kept).items():
        turn, _, what = heading.partition(": ")
        if what == "digests":
            found = (line.partition(" ") for line in content.splitlines())
            parts |= {f"{turn}: report {name}": digest for digest, _, name in found}
        else:
            parts[heading] = content
    return parts


def join(parts: Mapping[str, str]) -> str:
    """Return the text of a file that has these parts, each below its heading.

    Raises ValueError if a line of a part would be read as a heading.
    """
    for heading, content in parts.items():
        if _PART.search(f"{content}\n"):
            raise ValueError(f"a line of the {heading} begins like a heading")
    return "".join(f"=== {heading}\n{content}\n" for heading, content in parts.items())


def split(text: str) -> dict[str, str]:
    """Return the parts of a text made by ``join``, by their headings."""
    _, *pieces = _PART.split(text)
    return {
        heading: content.removesuffix("\n")
        for heading, content in zip(pieces[::2], pieces[1::2], strict=True)
    }


def _reports(
    rules: Ruleset[Any, Any], state: Any, events: Sequence[Event], names: Mapping[Seat, str]
) -> dict[str, str]:
    return {
        name: text(opened(rules.view(state, seat, DEADLINE), events, seat)).rstrip("\n") + "\n"
        for seat, name in names.items()
    }


def _last(
    rules: Ruleset[Any, Any],
    state: Any,
    events: Sequence[Event],
    names: Mapping[Seat, str],
    turn: int,
) -> Played:
    verdict = rules.verdict(state)
    standing = text(verdict.standing).rstrip("\n") + "\n" if verdict is not None else ""
    reports = _reports(rules, state, events, names)
    return Played(turn, state, reports, {}, standing=standing, events=events)


def _join_sheets(sheets: Mapping[str, str]) -> str:
    """Join the sheets of all seats. Raises ValueError if a line would be read as a name."""
    for name, sheet in sheets.items():
        if _NAME.search(sheet):
            raise ValueError(f"a line of the sheet of {name} is in brackets")
    return "\n".join(f"[{name}]\n{sheet}" for name, sheet in sheets.items() if sheet)


def _split_sheets(content: str) -> dict[str, str]:
    """Return the sheets joined by ``_join_sheets``, by the names of their seats."""
    return {found["name"]: found["sheet"] for found in _SHEET.finditer(content)}


_PART: Final = re.compile(r"^=== (.*)\n", re.MULTILINE)
_NAME: Final = re.compile(r"^\[[^]\n]+\]$", re.MULTILINE)
_SHEET: Final = re.compile(
    r"^\[(?P<name>[^]\n]+)\]\n(?P<sheet>.*?)(?=\n\[[^]\n]+\]\n|\Z)", re.DOTALL | re.MULTILINE
)
