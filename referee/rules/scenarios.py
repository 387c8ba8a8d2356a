"""Test cases of a ruleset: the state before, the orders, and what must be true afterwards."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import CheckTable, ReadOrders, Ruleset, RulingKind, Seat, UserError
from referee.rules.turns import Named

Case = Mapping[str, Any]
"""One case of a TOML file."""

Sheets = Mapping[Seat, Sequence[Any]]
"""Everybody's orders."""

KEYS: Final = frozenset(
    {"name", "cite", "options", "given", "orders", "missed", "dice", "refused", "misread", "then"}
)
"""What a case of any game can have."""


class Peopled(Protocol):
    """A state with its players."""

    @property
    def players(self) -> Mapping[Seat, Named]:
        """The players by their seats."""


class Decided(Peopled, Protocol):
    """A state in which somebody may have won."""

    @property
    def winners(self) -> Collection[Seat]:
        """The seats that have won."""


S = TypeVar("S", bound=Peopled)


@dataclass(frozen=True, slots=True)
class Game:
    """A ruleset, and what reads its orders."""

    rules: Ruleset[Any, Any]
    reader: ReadOrders

    def read(self, state: Any, text: str) -> Sequence[Any]:
        """Return the orders in *text*, in the language of the phase. Raises UserError."""
        return self.reader(self.rules.grammar(self.rules.phase(state)), text)


class ScenarioRunner(ABC, Generic[S]):
    """Runs the cases of a game: makes the state, resolves the orders, compares what comes of it.

    A game says how a case begins and what must be true after it, and offers an instance as
    ``scenarios`` beside the functions of a ruleset. Every method raises UserError, which names the
    key and the place in it, when the case itself is wrong.
    """

    keys: frozenset[str] = frozenset()
    """What cases of this game have beside ``KEYS``."""
    tables: Mapping[str, CheckTable] = {}
    """What checks the tables a file of this game can have beside ``case``."""

    @abstractmethod
    def fits(self, case: Case) -> bool:
        """Return whether a case is written as this game writes them."""

    @abstractmethod
    def begin(self, case: Case) -> S:
        """Return the state before the orders."""

    @abstractmethod
    def differences(self, case: Case, before: S, after: S, game: Game) -> Iterator[str]:
        """Yield one line for each thing that is not as the case says."""

    def run(self, case: Case, rules: Ruleset[Any, Any], read: ReadOrders) -> Sequence[str]:
        """Return the differences, one line each, none when the case passed."""
        refuse_unknown(case, KEYS | self.keys)
        game, before = Game(rules, read), self.begin(case)
        orders = self.orders(case, before, game)
        found = [*self.wrong_rulings(case, before, orders, game), *misread(case, before, game)]
        after = self.play(case, before, orders, game)
        return [*found, *self.differences(case, before, after, game)]

    def orders(self, case: Case, state: S, game: Game) -> Sheets:
        """Return everybody's orders, as ``orders`` has them."""
        sheets: dict[Seat, Sequence[Any]] = dict.fromkeys(state.players, ())
        for name, text in entries(case, "orders"):
            seat = seat_under(state, "orders", name)
            if not isinstance(text, str):
                raise UserError(f"orders.{name}: should be text")
            with about(f"orders.{name}"):
                sheets[seat] = game.read(state, text)
        return sheets

    def wrong_rulings(self, case: Case, state: S, orders: Sheets, game: Game) -> Iterator[str]:
        """Compare which orders are refused before the deadline with ``refused``."""
        for name, expected in entries(case, "refused"):
            seat = seat_under(state, "refused", name)
            rulings = game.rules.validate(state, seat, orders[seat])
            found = [
                game.rules.render(order)
                for order, ruling in zip(orders[seat], rulings, strict=True)
                if ruling.standing is RulingKind.REFUSED
            ]
            if found != list(expected):
                reasons = [ruling.reason for ruling in rulings if ruling.reason]
                yield f"{name}: refused are {found}, expected {list(expected)} ({reasons})"

    def play(self, case: Case, state: S, orders: Sheets, game: Game) -> S:
        """Return the state after the turn.

        Who stands under ``missed`` gets default orders; what they ordered is standing orders.
        """
        out = missed(case, state)
        sheets = {
            seat: game.rules.defaults(state, seat, sheet) if seat in out else sheet
            for seat, sheet in orders.items()
        }
        after: S = game.rules.resolve(state, sheets, out, self.dice(case, state, game)).state
        return after

    def dice(self, case: Case, state: S, game: Game) -> Dice:
        """Return dice that draw what ``dice`` says, by paths below that of the turn."""
        script: dict[str, Sequence[int]] = {}
        for path, draws in entries(case, "dice"):
            if not isinstance(draws, list) or any(type(draw) is not int for draw in draws):
                raise UserError(f'dice: "{path}" should be a list of whole numbers')
            # A path may also begin with a turn, where a case has several.
            whole = path if path.startswith("turn ") else f"{self.dice_path(state, game)}|{path}"
            script[whole] = draws
        return ScriptedDice(script)

    def dice_path(self, state: S, game: Game) -> str:
        """Return where the turn draws its dice."""
        return f"turn {game.rules.phase(state).turn}"


def seat_of(state: Peopled, name: str) -> Seat:
    """Return the seat of a player. Raises UserError when nobody is called so."""
    for seat, player in state.players.items():
        if player.name.upper() == name.upper():
            return seat
    raise UserError(f"{name} is none of the players.")


def seat_under(state: Peopled, key: str, name: object) -> Seat:
    """Return the seat of a player who is named under *key*. Raises UserError for nobody's name."""
    try:
        return seat_of(state, str(name))
    except UserError:
        raise UserError(f"{key}: {name!r} is none of the players") from None


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines that say something, without comments and with single blanks."""
    for line in text.splitlines():
        bare = " ".join(line.partition("#")[0].split())
        if bare:
            yield bare


def refuse_unknown(case: Case, known: frozenset[str]) -> None:
    """Raise UserError for a key of *case* that is none of a case."""
    unknown = sorted(case.keys() - known)
    if unknown:
        raise UserError(f'"{unknown[0]}" is no key of a case; there are {", ".join(sorted(known))}')


def entries(case: Case, key: str) -> list[tuple[str, Any]]:
    """Return the entries of a table, none when it is missing. Raises UserError for no table."""
    value = case.get(key, {})
    if not isinstance(value, Mapping):
        raise UserError(f"{key}: should be a table")
    return list(value.items())


@contextmanager
def about(key: str) -> Iterator[None]:
    """Let a mistake say under which key of the case it was made."""
    try:
        yield
    except UserError as mistake:
        raise UserError(f"{key}: {mistake}") from mistake


def missed(case: Case, state: Peopled) -> frozenset[Seat]:
    """Return the seats that ``missed`` names: they sent no orders."""
    return frozenset(seat_of(state, name) for name in case.get("missed", []))


def misread(case: Case, state: Any, game: Game) -> Iterator[str]:
    """Yield the texts under ``misread``, none of which is an order, that are read as orders."""
    texts = case.get("misread", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise UserError('misread: should be a list of texts, such as ["F005W2"]')
    for text in texts:
        try:
            game.read(state, text)
        except UserError:
            continue
        yield f"{text}: is read as an order, expected none"


def untold(name: str, texts: Sequence[str], told: str) -> Iterator[str]:
    """Yield those of *texts* that a player, *name*, is not told."""
    yield from (f"{name} is not told {text!r} but {told!r}" for text in texts if text not in told)


def wrong_winners(case: Case, after: Decided) -> Iterator[str]:
    """Compare who has won with ``winners``."""
    found = sorted(after.players[seat].name for seat in after.winners)
    if sorted(case.get("winners", found)) != found:
        yield f"winners: {found}, expected {sorted(case['winners'])}"
