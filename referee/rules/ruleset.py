"""The ruleset interface: a game as a set of pure functions over its state."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, Final, Generic, NewType, Protocol, TypeVar

from referee.rules.dice import Dice
from referee.rules.views import Chart, View

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - the interface is Ruleset[S, O]: states and orders

Seat = NewType("Seat", int)
"""A place in a game, from 1 to the number of seats. A person holds it; rules know only the seat."""

_LONGEST_NAME: Final = 20


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the GM makes at CREATE, or a player at JOIN.

    *kind* is one of int, str, bool; *sentence* says in one sentence what the option does. An int is
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
    """The rule for the names of seats in the game, as a regular expression and in words."""

    pattern: str
    sentence: str
    reserved: frozenset[str] = frozenset()
    stock: tuple[str, ...] = ()
    """Names for players who chose none."""

    def allows(self, name: str) -> bool:
        """Return whether a seat can be called *name*, in capitals, if it is not reserved.

        A name has at most 20 characters: a pattern can take very long for a longer one.
        """
        return len(name) <= _LONGEST_NAME and re.fullmatch(self.pattern, name) is not None


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """The facts about a ruleset that the core knows before a game begins."""

    key: str
    """The name of the entry point, in lower case: ``starweb``."""
    prefix: str
    """The beginning of the name of every such game: ``SW`` makes ``SW-1``."""
    title: str
    edition: str
    """The version of the rules, which changes with every change; a current game keeps its own."""
    schema: int
    """The version of the state's shape, which changes with every change."""
    fewest_seats: int
    most_seats: int
    options: tuple[Option, ...]
    """The options that the GM can set at CREATE."""
    choices: tuple[Option, ...]
    """The choices of a player at JOIN; each can have a second choice."""
    names: NameRule
    phases: tuple[str, ...] = ("orders",)
    """The keys of all phases; a GM can give each a length of its own."""

    def chosen(self, options: Mapping[str, int | str | bool]) -> dict[str, int | str | bool]:
        """Return the value of every option: that in *options*, or its default."""
        return {**{option.name: option.default for option in self.options}, **options}


@dataclass(frozen=True, slots=True)
class SignUp:
    """One player's wishes when the game begins: the final name, and the choices.

    *choices* has the wishes for each option of ``info.choices``, best first; none means a random
    one.
    """

    seat: Seat
    name: str
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Phase:
    """The present phase of a game, and the seats that have to send orders.

    Each phase is a turn of its own, which the referee counts.
    """

    key: str
    title: str
    """The name of the phase for the reports; "" if all are alike."""
    awaiting: frozenset[Seat]
    secret: bool = False
    """Whether seats must not know who else has to send orders; then no missed turn is announced."""
    out: frozenset[Seat] = frozenset()
    """The seats that the rules have eliminated: they never send orders again."""
    round: int = 0
    """The number of the round, from 1, of which the phase is a part; 0 if it is one of its own.

    A seat that misses several parts of a round has missed one turn.
    """


@dataclass(frozen=True, slots=True)
class Example:
    """A typical mistake and the answer to it: *wrong* is bad text, *advice* a sentence or two.

    ``{}`` in the second sentence is the player's own text, corrected. If it cannot be corrected,
    the sentence is left out.
    """

    wrong: str
    advice: str


class Separator(Enum):
    """The separator between two orders, besides the end of the line."""

    BLANKS = "blanks"
    """Any blanks and commas."""
    SPACES = "spaces"
    """Blanks; a comma without a blank next to it belongs to an order."""
    LINES = "lines"
    """No blank; a comma, ``;`` or ``and`` only before the first word of another order."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The order language of a phase; two grammars are the same if they are one object.

    *source* names a file in your package (``my_game:orders.lark``) or in the referee's own
    ``grammars/`` (``starweb.lark``), or is Lark source itself. Its comments are the page that HELP
    ORDERS mails. Each alternative of the rule ``order`` builds a class of *orders* by its name: the
    rule ``move_fleet`` calls ``orders["move_fleet"]`` with its children. A terminal is passed as
    ``terminals[NAME](text)``, or as text if its name is not in *terminals*. A terminal whose name
    begins with an underscore, and anonymous text, is left out. *blocks* are orders of several
    lines, from a line that is the key to a line ``END``; each is called with the lines between.
    *joined* are words that take the next word into the same order, where blanks separate orders.
    *leaving* are the rules of orders that end the game of their own player, each built by a class:
    such an order is read if nothing else is on its line, and waits for a confirmation.
    *hints* are advice on words in capitals that are not of the language, but that players type
    instead of an order: EXPLORE, where an order is ``S3E2``.
    """

    source: str
    orders: Mapping[str, Callable[..., Any]]
    terminals: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    separator: Separator = Separator.BLANKS
    blocks: Mapping[str, Callable[[tuple[str, ...]], Any]] = field(default_factory=dict)
    joined: frozenset[str] = frozenset()
    leaving: frozenset[str] = frozenset()
    hints: Mapping[str, str] = field(default_factory=dict)


class RulingKind(Enum):
    """The result of checking an order before the deadline, from what the seat can know."""

    ACCEPTED = "accepted"
    WARNED = "warned"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on one order before the deadline; *reason* is empty if it is simply accepted."""

    kind: RulingKind
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one order at the deadline; a failed one has a reason."""

    done: bool
    reason: str = ""


class Weight(IntEnum):
    """How much an event matters to its audience; the heaviest has the lowest number."""

    END = 0
    """The game is over, or the part of the audience in it."""
    LOSS = 1
    """Something of theirs is gone: a world, a fleet, ships, people."""
    DANGER = 2
    """Somebody was hostile, or stands where they could be."""
    GAIN = 3
    MEETING = 4
    """They learned of somebody, or of a place."""
    NOTE = 5
    """A sum of the turn, such as points or income."""
    DETAIL = 6
    """A line of the turn's log, which is no news."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event in words for *audience*; None means everyone, with observers.

    *places* are keys of places in the charts of the audience. *heading* is the heading in the log
    of the turn of an event of weight DETAIL. *told* says the same in the third person, with the
    name of the seat, for others to read after the end of the game; without it, others never read
    of the event.
    """

    text: str
    audience: frozenset[Seat] | None
    weight: Weight = Weight.NOTE
    places: tuple[str, ...] = ()
    heading: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Resolution(Generic[S, O]):
    """A resolved turn: the new state, one outcome per order in the given sequence, and events."""

    state: S
    outcomes: Mapping[Seat, tuple[tuple[O, Outcome], ...]]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of a game: the winners, and the final standings as a view for everyone."""

    winners: frozenset[Seat]
    standing: View


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Orders that a seat could send now, usually one, and the reason, in a sentence or two."""

    orders: tuple[Any, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Guide:
    """Help for a newcomer, made from the position of their seat.

    *position* says in a few sentences what the seat has and sees. *suggestions* are possible now,
    the best first; one that ``validate`` does not accept is left out. The first report shows three
    that are possible together, or any three if they are *alternatives*; HELP on an order shows
    those with such an order. *chapters* are the words of chapters of the rulebook to read first.
    """

    position: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    chapters: tuple[str, ...] = ()
    alternatives: bool = False


class UserError(ValueError):
    """A mistake in a text that a person wrote; the message tells them what to do."""


class Ruleset(Protocol[S, O]):
    """A game. Every function is pure and total on the values that the core passes.

    ``validate``, ``forecast``, ``view``, ``guide``, rulings and events never depend on facts that
    their seat must not know: two states that differ only in such facts give the same bytes.
    """

    @property
    def info(self) -> RulesetInfo:
        """The facts that the core knows before a game begins."""

    @property
    def state_type(self) -> type[S]:
        """The dataclass of the state, for the store."""

    def setup(
        self, seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice
    ) -> S:
        """Return the state before turn 1's orders. Raises UserError if the options cannot be met.

        Besides the GM's choices, *options* can have the game's name under ``game``, and under
        ``edition`` the one with which a recorded game began, so that it is set up as then.
        """

    def phase(self, state: S) -> Phase:
        """Return the present phase and the seats that have to send orders."""

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language of *phase*."""

    def render(self, order: O) -> str:
        """Return the canonical text of *order*; parsing it returns the same order."""

    def explain(self, state: S, seat: Seat, order: O) -> str:
        """Return the meaning of *order* in one plain English line, from what the seat can know."""

    def validate(self, state: S, seat: Seat, orders: Sequence[O]) -> Sequence[Ruling]:
        """Return one ruling per order for a whole sheet, from what the seat can know."""

    def unused(self, state: S, seat: Seat, orders: Sequence[O]) -> Sequence[str]:
        """Return the leftovers of a sheet and what will happen to them, one line each."""

    def defaults(self, state: S, seat: Seat, standing: Sequence[O]) -> Sequence[O]:
        """Return the orders of a seat that sent nothing, from its standing orders or the rules."""

    def resolve(
        self, state: S, orders: Mapping[Seat, Sequence[O]], defaulted: frozenset[Seat], dice: Dice
    ) -> Resolution[S, O]:
        """Resolve the phase; *defaulted* are the seats that missed it. Never raises.

        Their orders are defaults, as are those of seats with an excuse, such as an absence.
        """

    def forecast(self, state: S, seat: Seat, orders: Sequence[O]) -> View:
        """Return the outcome that the seat can expect, only from what it can know."""

    def view(self, state: S, seat: Seat | None, deadline: str) -> View:
        """Return the report for a seat or an observer (None); *deadline* is printed unchanged."""

    def chart(self, state: S, seat: Seat) -> Chart:
        """Return a map of what a seat knows of the board."""

    def template(self, state: S, seat: Seat) -> Sequence[str]:
        """Return the lines of an order sheet to fill in."""

    def guide(self, state: S, seat: Seat) -> Guide:
        """Return help for a newcomer in the seat, in any turn; the first report begins with it."""

    def contacts(self, state: S, seat: Seat) -> frozenset[Seat]:
        """Return the seats that this one has met."""

    def correct(self, state: S, text: str) -> tuple[S, str]:
        """Return the state after a GM's correction in the ruleset's notation, and its effect.

        Raises UserError if the correction cannot be read or applied.
        """

    def gm_notes(self, state: S) -> Sequence[str]:
        """Return notes on the state for the GM only, such as how fair the start is."""

    def verdict(self, state: S) -> Verdict | None:
        """Return how the game ended, or None while it continues."""


ReadOrders = Callable[[Grammar, str], Sequence[Any]]
"""A reader of order texts with a grammar. Raises UserError, with line and column."""


CheckTable = Callable[[Mapping[str, Any]], Sequence[str]]
"""A check of one row of a ruleset's own table, which returns one line for each difference.

Raises UserError, with the place, if the row itself is wrong.
"""


class Scenarios(Protocol):
    """A runner of a ruleset's test cases, which is one of its ``extras``."""

    @property
    def tables(self) -> Mapping[str, CheckTable]:
        """Return the checks of the tables besides ``case`` in a file, such as ``distance``."""

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Return whether a case has the form of this ruleset's cases."""

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        """Run one case of a TOML file, and return one line for each difference.

        *rules* is the ruleset itself and *read* reads order texts, because the runner and the
        ruleset do not import each other. Raises UserError, with the place, if the case itself is
        wrong.
        """
