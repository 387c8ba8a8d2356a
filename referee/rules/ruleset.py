"""The ruleset interface: a game as a set of pure functions over its state."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, NewType, Protocol, TypeVar

from referee.rules.dice import Dice
from referee.rules.views import Chart, View

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - the interface is Ruleset[S, O]: states and orders

Seat = NewType("Seat", int)
"""A place in a game, 1 to the number of seats. A person holds it, the rules only know the seat."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that is chosen: by the GM at CREATE, or by a player at JOIN.

    *kind* is one of int, str, bool; *sentence* says in one sentence what it does. An int lies
    between *lowest* and *highest*; a str is one of *choices* unless there are none.
    """

    name: str
    kind: type[int] | type[str] | type[bool]
    default: int | str | bool
    sentence: str
    lowest: int = 0
    highest: int = 0
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameRule:
    """What a seat's name in the game may look like, as a regular expression and in words."""

    pattern: str
    sentence: str
    reserved: frozenset[str] = frozenset()
    stock: tuple[str, ...] = ()
    """Names given to players who chose none."""


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """What the core knows of a ruleset before a game begins."""

    key: str
    """Lower case, as in the entry point: ``starweb``."""
    prefix: str
    """Begins the name of every game of it: ``SW`` makes ``SW-1``."""
    title: str
    edition: str
    """Changes with every change of the rules; a running game keeps its own."""
    schema: int
    """Changes with every change of the state's shape."""
    fewest_seats: int
    most_seats: int
    options: tuple[Option, ...]
    """What the GM may choose at CREATE."""
    choices: tuple[Option, ...]
    """What a player may choose at JOIN; each may be given a second choice."""
    names: NameRule
    phases: tuple[str, ...] = ("orders",)
    """The keys of all phases; a GM may give each a length of its own."""


@dataclass(frozen=True, slots=True)
class SignUp:
    """One player's wishes when the game begins: a settled name, and what he chose.

    *choices* has the wishes for each option of ``info.choices``, best first; none means: draw.
    """

    seat: Seat
    name: str
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Phase:
    """Where a game stands, and who owes orders now."""

    key: str
    title: str
    turn: int
    awaiting: frozenset[Seat]
    secret: bool = False
    """Whether nobody may know who else owes orders: then nobody is said to have missed it."""


@dataclass(frozen=True, slots=True)
class Example:
    """A typical mistake and what to say to it: *wrong* is bad text, *advice* a sentence or two.

    ``{}`` in the second sentence is the player's own text mended; without mending it is left out.
    """

    wrong: str
    advice: str


class Separator(Enum):
    """What stands between two orders, beside the end of the line."""

    BLANKS = "blanks"
    """Any blanks and commas."""
    SPACES = "spaces"
    """Blanks; a comma with none beside it belongs to an order."""
    LINES = "lines"
    """Nothing else: a line is one order."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The order language of a phase; two are the same when they are one object.

    *source* names a file in your package (``my_game:orders.lark``) or in the referee's own
    ``grammars/`` (``starweb.lark``), or is Lark source itself. Its comments are the page that HELP
    ORDERS mails. Each alternative of the rule ``order`` builds a class of *orders* by its name: the
    rule ``move_fleet`` calls ``orders["move_fleet"]`` with its children, in which terminals come as
    ``terminals[NAME](text)`` says, else as text. A terminal whose name begins with an underscore,
    and anonymous text, is left out. *blocks* are orders of several lines, from a line that is the
    key to a line ``END``; each is called with the lines between. *joined* are words that take the
    next word into the same order, where blanks separate orders.
    """

    source: str
    orders: Mapping[str, Callable[..., Any]]
    terminals: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    separator: Separator = Separator.BLANKS
    blocks: Mapping[str, Callable[[tuple[str, ...]], Any]] = field(default_factory=dict)
    joined: frozenset[str] = frozenset()


class RulingKind(Enum):
    """How an order stands before the deadline, as far as the seat may know."""

    ACCEPTED = "accepted"
    WARNED = "warned"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is said of one order before the deadline; *reason* is empty when it simply stands."""

    standing: RulingKind
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one order at the deadline; a failed one says why."""

    done: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in words for *audience*; None is everybody, observers too."""

    text: str
    audience: frozenset[Seat] | None


@dataclass(frozen=True, slots=True)
class Resolution(Generic[S, O]):
    """A resolved turn: the state after it, one outcome per order in the sequence given, events."""

    state: S
    outcomes: Mapping[Seat, tuple[tuple[O, Outcome], ...]]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game ended: the winners, and the final standing as a view for everybody."""

    winners: frozenset[Seat]
    standing: View


class UserError(ValueError):
    """What somebody wrote cannot be; the message is for him and says what to do."""


class Ruleset(Protocol[S, O]):
    """A game. Every function is pure and total on what the core gives it.

    ``validate``, ``forecast``, ``view``, rulings and events never depend on what their seat may
    not know: two states that differ only in that give the same bytes.
    """

    @property
    def info(self) -> RulesetInfo:
        """What the core knows before a game begins."""

    @property
    def state_type(self) -> type[S]:
        """The dataclass of the state, for the store."""

    def setup(
        self, seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice
    ) -> S:
        """Return the state before turn 1's orders. Raises UserError when the options cannot be met.

        Besides what the GM chose, *options* may have the game's name under ``game``.
        """

    def phase(self, state: S) -> Phase:
        """Say where the game stands and who owes orders."""

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language of *phase*."""

    def render(self, order: O) -> str:
        """Return the canonical text of *order*; parsing it gives the order back."""

    def explain(self, state: S, seat: Seat, order: O) -> str:
        """Say in one plain English line what *order* means, from what the seat may know."""

    def validate(self, state: S, seat: Seat, orders: Sequence[O]) -> Sequence[Ruling]:
        """Rule on a whole sheet, one ruling per order, from what the seat may know."""

    def idle(self, state: S, seat: Seat, orders: Sequence[O]) -> Sequence[str]:
        """Say what a sheet leaves without orders, one line each, and what will come of it."""

    def defaults(self, state: S, seat: Seat, standing: Sequence[O]) -> Sequence[O]:
        """Return the orders of a seat that sent nothing, from its standing orders or the rules."""

    def resolve(
        self, state: S, orders: Mapping[Seat, Sequence[O]], missed: frozenset[Seat], dice: Dice
    ) -> Resolution[S, O]:
        """Resolve the phase; *missed* are the seats whose orders are defaults. Never raises."""

    def forecast(self, state: S, seat: Seat, orders: Sequence[O]) -> View:
        """Show what the seat can expect, from what it may know alone."""

    def view(self, state: S, seat: Seat | None, deadline: str) -> View:
        """Show the state to a seat, or to an observer (None); *deadline* is printed as it is."""

    def chart(self, state: S, seat: Seat) -> Chart:
        """Show what a seat knows of the board as a map."""

    def template(self, state: S, seat: Seat) -> Sequence[str]:
        """Return the lines of an order sheet to fill in."""

    def contacts(self, state: S, seat: Seat) -> frozenset[Seat]:
        """Say which seats this one has met."""

    def correct(self, state: S, text: str) -> tuple[S, str]:
        """Apply a GM's correction in the ruleset's notation; say its effect. Raises UserError."""

    def remarks(self, state: S) -> Sequence[str]:
        """Say what only the GM may know of the state, such as how fair the start is."""

    def verdict(self, state: S) -> Verdict | None:
        """Say how the game ended, or None while it runs."""


ReadOrders = Callable[[Grammar, str], Sequence[Any]]
"""Reads an order text with a grammar. Raises UserError, with line and column, if it cannot."""


CheckTable = Callable[[Mapping[str, Any]], Sequence[str]]
"""Checks one row of a table of a ruleset's own; gives the differences, one line each.

Raises UserError, with the place, when the row itself is wrong.
"""


class Scenarios(Protocol):
    """Runs a ruleset's test cases; a ruleset offers it among its ``extras``."""

    @property
    def tables(self) -> Mapping[str, CheckTable]:
        """Return what checks the tables a file may have beside ``case``, such as ``distance``."""

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Return whether a case is written as this ruleset writes them."""

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        """Run one case of a TOML file, and return the differences, one line each, none when it
        passed.

        *rules* is the ruleset itself and *read* reads order texts, for the one does not import
        the other. Raises UserError, with the place, when the case itself is wrong.
        """
