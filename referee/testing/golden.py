"""Golden games: whole games kept as files, turn by turn, to be played again and compared."""

import fcntl
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from referee.parsing.reader import read_orders
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import Grammar, Outcome, Resolution, Ruleset, Seat, SignUp, UserError

DEADLINE: Final = "Friday, September 19 at 6:00 PM MST"
"""What every report of a golden game says."""
REPORT: Final = "report "
"""How the heading of a report begins, before the name of its seat."""
_ORDERS: Final = "orders"
_STANDING: Final = "standing"


class GameBroken(Exception):
    """A ruleset or a robot raised in a golden game; the text says which, what and where."""


Writer = Callable[[int, str, str], str]
"""Gives the order sheet of a turn: for its number, a seat's name and his report.

It is empty when the seat sends nothing."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a game begins: all that decides it but the orders."""

    seats: Sequence[SignUp]
    options: Mapping[str, int | str | bool]
    seed: bytes


@dataclass(frozen=True, slots=True)
class Played:
    """A turn as it was played: what everybody was told and ordered, by the seats' names.

    The turns are counted from 1, however the rules number them. After the last one there are
    reports alone, and the final standing if the game has ended.
    """

    turn: int
    reports: Mapping[str, str]
    sheets: Mapping[str, str]
    done: tuple[str, ...] = ()
    """The orders that were sent and carried out, in the sequence of the seats."""
    failed: tuple[str, ...] = ()
    """The orders that came to nothing."""
    missed: frozenset[str] = frozenset()
    """Those who owed orders and sent nothing."""
    standing: str = ""

    @property
    def file(self) -> str:
        """The file of the turn: everybody's report, then the orders, then the final standing."""
        return _file(self.turn)

    def parts(self) -> dict[str, str]:
        """Return the parts of the file, by their headings."""
        parts = {f"{REPORT}{name}": report for name, report in self.reports.items()}
        if self.sheets:
            parts[_ORDERS] = _join_sheets(self.sheets)
        if self.standing:
            parts[_STANDING] = self.standing
        return parts


def play(
    rules: Ruleset[Any, Any], beginning: Beginning, write: Writer, turns: int
) -> Iterator[Played]:
    """Play so many *turns*, or to the end of the game, and give each, the reports after it last.

    Raises UserError, with turn and seat, for an order that cannot be read, and GameBroken if
    rules or robots raise whose exceptions have a note.
    """
    dice = Dice(beginning.seed)
    names = {seat.seat: seat.name for seat in beginning.seats}
    state = rules.setup(beginning.seats, beginning.options, dice)
    for turn in count(1):
        if turn > turns or rules.verdict(state) is not None:
            yield _last(rules, state, names, turn)
            return
        with _Turn(turn):
            reports = _reports(rules, state, names)
            sheets = {name: write(turn, name, report) for name, report in reports.items()}
            phase = rules.phase(state)
            grammar = rules.grammar(phase)
            orders = {s: _orders(grammar, name, sheets[name]) for s, name in names.items()}
            orders = {seat: read for seat, read in orders.items() if sheets[names[seat]]}
            missed = phase.awaiting - orders.keys()
            silent = {seat: rules.defaults(state, seat, ()) for seat in sorted(missed)}
            resolution = rules.resolve(state, {**orders, **silent}, missed, dice)
            outcomes = _outcomes(resolution, {seat: names[seat] for seat in orders})
        yield Played(
            turn,
            reports,
            sheets,
            done=tuple(rules.render(order) for order, outcome in outcomes if outcome.done),
            failed=tuple(rules.render(order) for order, outcome in outcomes if not outcome.done),
            missed=frozenset(names[seat] for seat in missed),
        )
        state = resolution.state


class _Turn:
    """Says in which turn something was that the orders, the rules or a robot are to blame for."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> None:
        """Begin the turn."""

    def __exit__(self, _kind: object, error: BaseException | None, _frames: object) -> None:
        """Raise UserError or GameBroken in place of what has words, or a note."""
        if isinstance(error, UserError):
            raise UserError(f"turn {self._number}, {error}") from error
        if notes := getattr(error, "__notes__", None):
            raise GameBroken(f"turn {self._number}, {notes[-1]}") from error


def _orders(grammar: Grammar, name: str, sheet: str) -> tuple[Any, ...]:
    try:
        return read_orders(grammar, sheet)
    except UserError as mistake:
        raise UserError(f"the sheet of {name}, {mistake}") from mistake


def _outcomes(
    resolution: Resolution[Any, Any], names: Mapping[Seat, str]
) -> list[tuple[Any, Outcome]]:
    """Return what became of the orders of these seats. Raises UserError for one without any."""
    for seat, name in names.items():
        if seat not in resolution.outcomes:
            raise UserError(f"resolve gives no outcomes for the orders of {name}")
    return [each for seat in names for each in resolution.outcomes[seat]]


def stored_sheets(folder: Path) -> Writer:
    """Return the writer that repeats the sheets of a game's folder.

    It raises OSError where the folder has no file of a turn, KeyError where that has no orders.
    """
    turns: dict[int, dict[str, str]] = {}

    def write(turn: int, name: str, _report: str) -> str:
        if turn not in turns:
            parts = split((folder / _file(turn)).read_text(encoding="utf-8"))
            turns[turn] = _split_sheets(parts[_ORDERS])
        return turns[turn].get(name, "")

    return write


def files(played: Iterable[Played]) -> dict[str, str]:
    """Return the files of all turns of a game, by their names in its folder."""
    return {turn.file: join(turn.parts()) for turn in played}


def join(parts: Mapping[str, str]) -> str:
    """Return the text of a file that has these parts, each below its heading.

    Raises ValueError if a line of a part would be taken for a heading.
    """
    for heading, content in parts.items():
        if _PART.search(f"{content}\n"):
            raise ValueError(f"a line of the {heading} begins like a heading")
    return "".join(f"=== {heading}\n{content}\n" for heading, content in parts.items())


def split(text: str) -> dict[str, str]:
    """Return the parts that ``join`` made a text of, by their headings."""
    _, *pieces = _PART.split(text)
    return {
        heading: content.removesuffix("\n")
        for heading, content in zip(pieces[::2], pieces[1::2], strict=True)
    }


def kept(folder: Path) -> dict[str, str]:
    """Return the files that are kept in a folder, by their paths in it; none when it is not
    there."""
    return {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for file in folder.rglob("*.txt")
    }


def keep(folder: Path, written: Mapping[str, str]) -> None:
    """Make what is *written*, by its paths in a folder, all that it has; what was there goes.

    Of several programs that do so at once, the last one counts. Raises OSError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".golden-", dir=folder.parent) as place:
        new = Path(place) / "new"
        new.mkdir()
        for path, content in written.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).write_text(content, encoding="utf-8")
        with _locked(folder.parent):
            with suppress(FileNotFoundError):
                folder.rename(Path(place) / "old")
            new.rename(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Wait until no other program replaces something in a folder."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _reports(rules: Ruleset[Any, Any], state: Any, names: Mapping[Seat, str]) -> dict[str, str]:
    return {
        name: text(rules.view(state, seat, DEADLINE)).rstrip("\n") + "\n"
        for seat, name in names.items()
    }


def _last(rules: Ruleset[Any, Any], state: Any, names: Mapping[Seat, str], turn: int) -> Played:
    verdict = rules.verdict(state)
    standing = text(verdict.standing).rstrip("\n") + "\n" if verdict is not None else ""
    return Played(turn, _reports(rules, state, names), {}, standing=standing)


def _file(turn: int) -> str:
    return f"turn-{turn:02}.txt"


def _join_sheets(sheets: Mapping[str, str]) -> str:
    """Join the sheets of all seats; raise ValueError if a line of one would be taken for a name."""
    for name, sheet in sheets.items():
        if _NAME.search(sheet):
            raise ValueError(f"a line of the sheet of {name} is in brackets")
    return "\n".join(f"[{name}]\n{sheet}" for name, sheet in sheets.items() if sheet)


def _split_sheets(content: str) -> dict[str, str]:
    """Return the sheets that ``_join_sheets`` joined, by the names of their seats."""
    return {found["name"]: found["sheet"] for found in _SHEET.finditer(content)}


_PART: Final = re.compile(r"^=== (.*)\n", re.MULTILINE)
_NAME: Final = re.compile(r"^\[[^]\n]+\]$", re.MULTILINE)
_SHEET: Final = re.compile(
    r"^\[(?P<name>[^]\n]+)\]\n(?P<sheet>.*?)(?=\n\[[^]\n]+\]\n|\Z)", re.DOTALL | re.MULTILINE
)
