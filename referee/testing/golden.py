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
"""The deadline that every report of a golden game shows."""
REPORT: Final = "report "
"""The heading of a report before the name of its seat."""
_ORDERS: Final = "orders"
_STANDING: Final = "standing"


class GameBroken(Exception):
    """A ruleset or a robot raised an exception in a golden game; the text says which and where."""


Writer = Callable[[int, str, str], str]
"""Returns the order sheet for the number of a turn, a seat's name and its report.

It is empty if the seat sends nothing.
"""


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
    reports: Mapping[str, str]
    sheets: Mapping[str, str]
    done: tuple[str, ...] = ()
    """The orders that were sent and carried out, in the sequence of the seats."""
    failed: tuple[str, ...] = ()
    """The orders that failed."""
    missed: frozenset[str] = frozenset()
    """The seats that had to send orders and sent none."""
    standing: str = ""

    @property
    def file(self) -> str:
        """The file of the turn: all reports, then the orders, then the final standings."""
        return _file(self.turn)

    def parts(self) -> dict[str, str]:
        """Return the parts of the file by their headings."""
        parts = {f"{REPORT}{name}": report for name, report in self.reports.items()}
        if self.sheets:
            parts[_ORDERS] = _join_sheets(self.sheets)
        if self.standing:
            parts[_STANDING] = self.standing
        return parts


def play(
    rules: Ruleset[Any, Any], beginning: Beginning, write: Writer, turns: int
) -> Iterator[Played]:
    """Play *turns* turns, or to the end of the game; yield each, and last the final reports.

    Raises UserError, with turn and seat, if an order cannot be read, and GameBroken if rules or
    robots raise an exception that has a note.
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
    """A context that adds the turn to errors of the orders, the rules or a robot."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> None:
        """Begin the turn."""

    def __exit__(self, _kind: object, error: BaseException | None, _frames: object) -> None:
        """Raise UserError or GameBroken instead of an error with a message or a note."""
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
    """Return the outcomes of the orders of these seats. Raises UserError if one has none."""
    for seat, name in names.items():
        if seat not in resolution.outcomes:
            raise UserError(f"resolve returns no outcomes for the orders of {name}")
    return [each for seat in names for each in resolution.outcomes[seat]]


def stored_sheets(folder: Path) -> Writer:
    """Return the writer that repeats the sheets of a game's folder.

    It raises OSError if the folder has no file of a turn, KeyError if that has no orders.
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


def kept(folder: Path) -> dict[str, str]:
    """Return the files in a folder by their paths in it, or none if it does not exist."""
    return {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for file in folder.rglob("*.txt")
    }


def keep(folder: Path, written: Mapping[str, str]) -> None:
    """Replace the files in a folder by those *written*, by their paths in it.

    If several programs do so at once, the last one wins. Raises OSError.
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
    """Wait until no other program replaces files in a folder."""
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
