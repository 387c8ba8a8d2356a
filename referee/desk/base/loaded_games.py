"""A running game on the table: its ruleset, its state, and its orders read again."""

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from referee.desk.base.site import Site
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.schedules import Schedule
from referee.domain.sheets import Entry
from referee.errors import UnknownRuleset
from referee.parsing.items import Parsed
from referee.parsing.reader import MOST_ORDERS, Reader, reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Phase, Ruleset, RulesetInfo, Seat, UserError
from referee.rules.views import View
from referee.store import Session
from referee.store.database import codec
from referee.store.database.codec import Encoded
from referee.store.games import games
from referee.store.models import Game, TurnRow

T = TypeVar("T")

_SHARED: Final = 8
"""Of so many games the state is kept decoded; each takes a megabyte or two."""

_COLUMNS: Final = frozenset({"trust"})
"""House options that have a column of their own."""


@dataclass(frozen=True, slots=True)
class Showing:
    """To whom the game is shown, None for everybody, and with which deadline in words."""

    seat: Seat | None
    due: str


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A game as it stands before the running turn's orders."""

    game: Game
    ruleset: Ruleset[Any, Any]
    state: Any
    phase: Phase
    reader: Reader
    drawn: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    """What was drawn of it already, by what it is; the same again is not drawn anew."""

    @property
    def awaiting(self) -> frozenset[Seat]:
        """The seats that owe orders now: those the rules ask for, but for eliminated ones."""
        return self.phase.awaiting - {Seat(row.number) for row in self.game.seats if row.eliminated}

    def show(self, to: Showing) -> View:
        """Show the game."""
        return self.once(to, lambda: self.ruleset.view(self.state, to.seat, to.due))

    def template(self, seat: Seat) -> tuple[str, ...]:
        """Return the sheet that a seat has to fill in."""
        return self.once(("template", seat), lambda: tuple(self.ruleset.template(self.state, seat)))

    def once(self, what: Hashable, draw: Callable[[], T]) -> T:
        """Return *what* is drawn of the game, and draw it the first time."""
        if what not in self.drawn:
            self.drawn[what] = draw()
        found: T = self.drawn[what]
        return found

    def read(self, texts: Sequence[str]) -> tuple[Any, ...]:
        """Return the orders that canonical *texts* say; they were all understood before."""
        items = self.reader.read("\n".join(texts))
        return tuple(item.order for item in items if isinstance(item, Parsed))

    def with_orders(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return the entries of a sheet with their orders; what was typed just now has them.

        Of a sheet that is too long as many count as at the deadline.
        """
        found: list[Entry] = []
        for entry in entries[:MOST_ORDERS]:
            if entry.order is not None:
                found.append(entry)
            else:
                found += (replace(entry, order=order) for order in self.read([entry.text]))
        return found

    def render(self, orders: Sequence[Any]) -> list[str]:
        """Return the canonical texts of *orders*."""
        return [self.ruleset.render(order) for order in orders]


@dataclass(frozen=True, slots=True)
class Stored:
    """The state before the orders of a turn, as it is stored, and the shape it has."""

    turn: int
    schema: int
    content: bytes = field(repr=False)


def load(session: Session, site: Site, game: Game) -> LoadedGame:
    """Take a game as it stands out of the store.

    Raises UnknownRuleset when its ruleset is not installed, and StateUnreadable when it was stored
    in another shape than the ruleset has now.
    """
    return lay_turn(site, game, games.turn_of(session, game, game.turn))


def lay_turn(site: Site, game: Game, turn: TurnRow) -> LoadedGame:
    """Lay a game out as it stood before the orders of *turn*. Raises as lay."""
    return load_state(site, game, Stored(turn.number, turn.schema, turn.state))


def load_state(site: Site, game: Game, stored: Stored) -> LoadedGame:
    """Lay a game out with a state. Raises as lay."""
    ruleset = ruleset_of(site.rulesets, game.ruleset)
    codec.check_schema(
        f"turn {stored.turn} of {game.name}",
        stored=stored.schema,
        known=ruleset.info.schema,
        ruleset=ruleset.info.key,
    )
    state = codec.decode(stored.content, ruleset.state_type)
    phase = ruleset.phase(state)
    return LoadedGame(game, ruleset, state, phase, reader_of(ruleset.grammar(phase)))


def lay_to_read(session: Session, site: Site, game: Game) -> LoadedGame:
    """Lay a game out as it stands, to read letters by. Raises as lay.

    The letters of a turn share one state, decoded once: no function of a ruleset changes the state
    it is given. A turn is adjudicated from a state of its own all the same.
    """
    ruleset = ruleset_of(site.rulesets, game.ruleset)
    shared = kept_states(game.ruleset, games.running_digest(session, game))
    if not shared:
        content = games.turn_of(session, game, game.turn).state
        shared.append(codec.decode(content, ruleset.state_type))
    phase = ruleset.phase(shared[0])
    return LoadedGame(game, ruleset, shared[0], phase, reader_of(ruleset.grammar(phase)))


@lru_cache(maxsize=_SHARED)
def kept_states(_ruleset: str, _digest: str) -> list[Any]:
    """Return where the state with this digest is kept once it is decoded."""
    return []


def begin_turn(session: Session, ruleset: Ruleset[Any, Any], game: Game, encoded: Encoded) -> None:
    """Store the state before the orders of ``game.turn``."""
    session.add(
        TurnRow(
            game_id=game.id,
            number=game.turn,
            edition=ruleset.info.edition,
            schema=ruleset.info.schema,
            state=encoded.content,
            digest=encoded.digest,
        )
    )


def ruleset_of(rulesets: Mapping[str, Ruleset[Any, Any]], key: str) -> Ruleset[Any, Any]:
    """Return the ruleset of that key. Raises UnknownRuleset when it is not installed."""
    if key not in rulesets:
        raise UnknownRuleset(key, tuple(rulesets))
    return rulesets[key]


def check_phases(schedule: Schedule, info: RulesetInfo) -> None:
    """Raise UserError when a phase of the schedule is none of the ruleset's."""
    for span in schedule.phases:
        if span.phase not in info.phases:
            known = ", ".join(info.phases)
            raise UserError(f"{info.title} has no phase {span.phase}. Its phases: {known}.")


def house_options(game: Game) -> dict[str, Any]:
    """Return the house options of the game, what the GM chose or else the default."""
    defaults = {option.name: option.default for option in HOUSE_OPTIONS}
    return defaults | game.options_of_house | {name: getattr(game, name) for name in _COLUMNS}


def choose(game: Game, values: Mapping[str, Any]) -> None:
    """Set house options of the game; those it has a column for are kept there alone."""
    others = {name: value for name, value in values.items() if name not in _COLUMNS}
    game.options_of_house = {**game.options_of_house, **others}
    for name in _COLUMNS & values.keys():
        setattr(game, name, values[name])


def dice_of(game: Game) -> Dice:
    """Return the game's dice; the rules say for each draw what it is for."""
    return Dice(game.seed)


def commitment(seed: bytes) -> str:
    """Return the hash by which everybody can check the seed after the game."""
    return hashlib.sha256(seed).hexdigest()


def seat_name(game: Game, seat: Seat | int) -> str:
    """Return the name of a seat in the game."""
    return next(row.name for row in game.seats if row.number == seat)
