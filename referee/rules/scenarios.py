"""The test cases of a ruleset: a state, the orders, and what must be true afterwards."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.fields import Fields
from referee.rules.news import heard, log_of, news_of
from referee.rules.ruleset import (
    CheckTable,
    ReadOrders,
    Resolution,
    Ruleset,
    RulingKind,
    Seat,
    UserError,
)
from referee.rules.stewards import orders_unsent
from referee.rules.turns import Named
from referee.rules.views import Prose, Sentences, Table, Verbatim, View

Case = Mapping[str, Any]
"""One case of a TOML file."""

Sheets = Mapping[Seat, Sequence[Any]]
"""The orders of all seats."""

KEYS: Final = frozenset(
    {
        *("name", "cite", "options", "given", "orders", "missed", "dice", "rejected", "unparsed"),
        *("forecast", "then", "news", "log", "tells", "untold"),
    }
)
"""The keys that a case of any game can have."""


class Peopled(Protocol):
    """A state with its players."""

    @property
    def players(self) -> Mapping[Seat, Named]:
        """The players by their seats."""


class Decided(Peopled, Protocol):
    """A state in which the game can be won."""

    @property
    def winners(self) -> Collection[Seat]:
        """The seats that have won."""


S = TypeVar("S", bound=Peopled)


@dataclass(frozen=True, slots=True)
class Game:
    """A ruleset, and a reader of its orders."""

    rules: Ruleset[Any, Any]
    reader: ReadOrders

    def read(self, state: Any, text: str) -> Sequence[Any]:
        """Return the orders in *text*, in the language of the phase. Raises UserError."""
        return self.reader(self.rules.grammar(self.rules.phase(state)), text)


class ScenarioRunner(ABC, Generic[S]):
    """A runner of a game's cases: it makes the state, resolves the orders and compares the result.

    A game defines how a case begins and what must be true after it, and offers an instance as
    ``scenarios`` in its extras. Every method raises UserError, with the key and the place in it, if
    the case itself is wrong.
    """

    keys: frozenset[str] = frozenset()
    """The keys of this game's cases besides ``KEYS``."""
    tables: Mapping[str, CheckTable] = {}
    """The checks of the tables that a file of this game can have besides ``case``."""

    @abstractmethod
    def fits(self, case: Case) -> bool:
        """Return whether a case has the form of this game's cases."""

    @abstractmethod
    def begin(self, case: Case) -> S:
        """Return the state before the orders."""

    @abstractmethod
    def differences(self, case: Case, before: S, after: S, game: Game) -> Iterator[str]:
        """Yield one line for each difference from the case."""

    def run(self, case: Case, rules: Ruleset[Any, Any], read: ReadOrders) -> Sequence[str]:
        """Return one line for each difference, or none if the case passed."""
        Fields(case).allow(*KEYS, *self.keys)
        game, before = Game(rules, read), self.begin(case)
        orders = self.orders(case, before, game)
        found = [*self.wrong_rulings(case, before, orders, game), *unparsed(case, before, game)]
        found += wrong_forecasts(case, before, orders, game)
        turn = self.play(case, before, orders, game)
        found += self.wrong_news(case, turn)
        return [*found, *self.differences(case, before, turn.state, game)]

    def orders(self, case: Case, state: S, game: Game) -> Sheets:
        """Return the orders of all seats from ``orders``."""
        sheets: dict[Seat, Sequence[Any]] = dict.fromkeys(state.players, ())
        for name, text in entries(case, "orders"):
            seat = seat_under(state, "orders", name)
            if not isinstance(text, str):
                raise UserError(f"orders.{name}: should be text")
            with about(f"orders.{name}"):
                sheets[seat] = game.read(state, text)
        return sheets

    def wrong_rulings(self, case: Case, state: S, orders: Sheets, game: Game) -> Iterator[str]:
        """Yield the differences between the rejected orders and those under ``rejected``."""
        for name, expected in entries(case, "rejected"):
            seat = seat_under(state, "rejected", name)
            if not isinstance(expected, list) or not all(
                isinstance(each, str) for each in expected
            ):
                raise UserError(f"rejected.{name}: should be a list of orders")
            rulings = game.rules.validate(state, seat, orders[seat])
            found = [
                game.rules.render(order)
                for order, ruling in zip(orders[seat], rulings, strict=True)
                if ruling.kind is RulingKind.REJECTED
            ]
            if found != list(expected):
                reasons = [ruling.reason for ruling in rulings if ruling.reason]
                yield f"{name}: rejected are {found}, expected {list(expected)} ({reasons})"

    def play(self, case: Case, state: S, orders: Sheets, game: Game) -> Resolution[S, Any]:
        """Return the turn, resolved.

        Seats under ``missed`` get default orders, or those of a steward; the orders in the case are
        their standing orders.
        """
        out = missed(case, state)
        sheets = {
            seat: _unsent(game, state, seat, sheet, out[seat]) if seat in out else sheet
            for seat, sheet in orders.items()
        }
        dice = self.dice(case, state, game)
        return game.rules.resolve(state, sheets, frozenset(out), dice)

    def wrong_news(self, case: Case, turn: Resolution[S, Any]) -> Iterator[str]:
        """Yield the differences of the events for a player.

        ``news`` and ``log`` have all of them, ``tells`` texts in any, ``untold`` texts in none.
        """
        for key, events_of in (("news", news_of), ("log", log_of)):
            for name, wanted in entries(case, key):
                events = events_of(turn.events, seat_under(turn.state, key, name))
                told = [event.text for event in events]
                if told != wanted:
                    yield f"the {key} of {name}: {told}, expected {wanted}"
        for key, wrong in (("tells", untold), ("untold", told_wrongly)):
            for name, texts in _by_player(case, key, turn.state):
                read = heard(turn.events, seat_under(turn.state, key, name))
                yield from wrong(name, texts, "\n".join(event.text for event in read))

    def dice(self, case: Case, state: S, game: Game) -> Dice:
        """Return dice that draw what ``dice`` says, by paths below that of the turn."""
        script: dict[str, Sequence[int]] = {}
        for path, draws in entries(case, "dice"):
            if not isinstance(draws, list) or any(type(draw) is not int for draw in draws):
                raise UserError(f'dice: "{path}" should be a list of whole numbers')
            # A path can also begin with a turn, in a case with several.
            whole = path if path.startswith("turn ") else f"{self.dice_path(state)}|{path}"
            script[whole] = draws
        return ScriptedDice(script)

    def dice_path(self, state: S) -> str:
        """Return the path of the turn's dice: that of the first turn."""
        del state
        return "turn 1"


def _unsent(
    game: Game, state: Peopled, seat: Seat, standing: Sequence[Any], before: int
) -> Sequence[Any]:
    """Return the orders of a seat that sends none and has missed *before* turns until now."""
    if standing:
        return game.rules.defaults(state, seat, standing)
    return orders_unsent(game.rules, state, seat, before)


def seat_of(state: Peopled, name: str) -> Seat:
    """Return the seat of a player. Raises UserError if there is no player of that name."""
    for seat, player in state.players.items():
        if player.name.upper() == name.upper():
            return seat
    raise UserError(f"{name} is none of the players.")


def seat_under(state: Peopled, key: str, name: object) -> Seat:
    """Return the seat of the player named under *key*. Raises UserError if there is none."""
    try:
        return seat_of(state, str(name))
    except UserError:
        raise UserError(f"{key}: {name!r} is not one of the players") from None


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines with content, without comments and with single blanks."""
    for line in text.splitlines():
        bare = " ".join(line.partition("#")[0].split())
        if bare:
            yield bare


def entries(case: Case, key: str) -> list[tuple[str, Any]]:
    """Return the entries of a table, none if it is missing. Raises UserError if it is no table."""
    value = case.get(key, {})
    if not isinstance(value, Mapping):
        raise UserError(f"{key}: should be a table")
    return list(value.items())


@contextmanager
def about(key: str) -> Iterator[None]:
    """Add the key of the case to a UserError that is raised inside."""
    try:
        yield
    except UserError as mistake:
        raise UserError(f"{key}: {mistake}") from mistake


def missed(case: Case, state: Peopled) -> Mapping[Seat, int]:
    """Return the seats that ``missed`` names, with the turns that each has missed before.

    They sent no orders. A list names seats for which this turn is the first.
    """
    names = case.get("missed", [])
    if isinstance(names, list):
        names = {str(name): 0 for name in names}
    if not isinstance(names, Mapping) or any(type(n) is not int for n in names.values()):
        raise UserError('missed: expected a list of players, such as ["A"], or { A = 3 }')
    return {seat_under(state, "missed", name): before for name, before in names.items()}


def unparsed(case: Case, state: Any, game: Game) -> Iterator[str]:
    """Yield the texts under ``unparsed`` that can be read as orders, although none should."""
    texts = case.get("unparsed", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise UserError('unparsed: should be a list of texts, such as ["F005W2"]')
    for text in texts:
        try:
            game.read(state, text)
        except UserError:
            continue
        yield f"{text}: is read as an order, expected none"


def facts(view: View) -> set[str]:
    """Return the facts of a view: sentences, lines, and rows of tables after their titles."""
    found: set[str] = set()
    for block in view:
        if isinstance(block, Prose):
            found |= {f"{sentence.rstrip('.')}." for sentence in block.text.split(". ")}
        elif isinstance(block, Table):
            found |= {f"{block.title}: {' | '.join(row)}" for row in block.rows}
        elif isinstance(block, Verbatim):
            found |= {line.strip() for line in block.text.splitlines()}
        elif isinstance(block, Sentences):
            found |= {*block.sentences}
    return found


def wrong_forecasts(case: Case, state: Peopled, orders: Sheets, game: Game) -> Iterator[str]:
    """Yield the facts under ``forecast`` that are missing from the forecast of a player."""
    for name, texts in entries(case, "forecast"):
        seat = seat_under(state, "forecast", name)
        shown = facts(game.rules.forecast(state, seat, orders[seat]))
        if missing := [text for text in texts if text not in shown]:
            yield f"the forecast of {name} is {sorted(shown)}, expected {missing}"


def untold(name: str, texts: Sequence[str], told: str) -> Iterator[str]:
    """Yield the *texts* that are missing from the news of a player, *name*."""
    yield from (f"{name} reads {told!r}, expected {text!r}" for text in texts if text not in told)


def told_wrongly(name: str, texts: Sequence[str], told: str) -> Iterator[str]:
    """Yield the *texts* that are in the news of a player, *name*, although they must not be."""
    yield from (f"{name} must not read {text!r}: {told!r}" for text in texts if text in told)


def _by_player(case: Case, key: str, state: Peopled) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the texts of a key by player; a list instead of a table is for all of them."""
    if isinstance(texts := case.get(key), list):
        return [(player.name, texts) for player in state.players.values()]
    return entries(case, key)


def wrong_winners(case: Case, after: Decided) -> Iterator[str]:
    """Yield the difference between the winners and ``winners``."""
    found = sorted(after.players[seat].name for seat in after.winners)
    if sorted(case.get("winners", found)) != found:
        yield f"winners: {found}, expected {sorted(case['winners'])}"
