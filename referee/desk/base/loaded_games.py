"""Games loaded from the store: the ruleset, the state, and a reader of its orders."""

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from referee.desk.base.desk import Site
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.ruleset_results import checked, checked_result
from referee.domain.schedules import Schedule
from referee.domain.sheets import Entry
from referee.errors import UnknownRuleset
from referee.parsing.items import Parsed
from referee.parsing.reader import MOST_ORDERS, Reader, reader_in_phase
from referee.reports.symbols import Colours, colours_of
from referee.rules.dice import Dice
from referee.rules.extras import extras_of
from referee.rules.ruleset import Grammar, Phase, Ruleset, RulesetInfo, Seat, SignUp, UserError
from referee.rules.views import Chart, View
from referee.store import Session
from referee.store.database import codec
from referee.store.database.codec import Encoded
from referee.store.games import games
from referee.store.models import Game, SeatRow, TurnRow

T = TypeVar("T")

_SHARED: Final = 8
"""The number of games whose decoded state is cached; each takes one or two megabytes."""

_COLUMNS: Final = frozenset({"trust"})
"""House options that have a column of their own."""


@dataclass(frozen=True, slots=True)
class Showing:
    """The reader of a view, or None for the public one, and the deadline in words."""

    seat: Seat | None
    due: str


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A game before the orders of the current turn."""

    game: Game
    ruleset: Ruleset[Any, Any]
    state: Any
    phase: Phase
    reader: Reader
    drawn: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    """The results computed from the state so far, by key."""

    @property
    def awaiting(self) -> frozenset[Seat]:
        """The seats that still have to send orders, without eliminated ones."""
        return self.phase.awaiting - {Seat(row.number) for row in self.game.seats if row.eliminated}

    @property
    def colours(self) -> Colours:
        """The colour of each seat, the same in all pictures of the game."""
        names = [row.name for row in self.game.seats]
        given = extras_of(self.ruleset).colours
        by_seat = given(self.state) if given is not None else {}
        return colours_of(
            # By the number of the seat, a colour would show who joined before whom.
            dice_of(self.game).at("colours").shuffled(names),
            {
                row.name: by_seat[Seat(row.number)]
                for row in self.game.seats
                if row.number in by_seat
            },
        )

    @property
    def truth(self) -> Chart | None:
        """The whole map as it truly is, or None if the ruleset has none. Raises WrongResult."""
        return self._map(extras_of(self.ruleset).truth)

    @property
    def public(self) -> Chart | None:
        """The map of what observers see, or None. Raises WrongResult."""
        return self._map(extras_of(self.ruleset).public)

    def _map(self, draw: Callable[[Any], Chart | None] | None) -> Chart | None:
        chart = draw(self.state) if draw is not None else None
        return None if chart is None else checked_result(self.ruleset, "chart", chart)

    def awaits(self, row: SeatRow) -> bool:
        """Return whether a seat still has to send orders."""
        return row.number in self.phase.awaiting and not row.eliminated

    def is_out(self, row: SeatRow) -> bool:
        """Return whether a seat is eliminated, by the GM or by the rules."""
        return row.eliminated or row.number in self.phase.out

    def met_by(self, row: SeatRow) -> frozenset[Seat]:
        """Return the other seats that a player has met: none if theirs is eliminated."""
        if row.eliminated:
            return frozenset()
        return self.ruleset.contacts(self.state, Seat(row.number)) - {row.number}

    def show(self, to: Showing) -> View:
        """Return the view of the game, drawn once per reader and deadline."""
        return self.once(to, lambda: self.ruleset.view(self.state, to.seat, to.due))

    def template(self, seat: Seat) -> tuple[str, ...]:
        """Return the empty sheet of a seat, for its player to fill in."""
        return self.once(("template", seat), lambda: tuple(self.ruleset.template(self.state, seat)))

    def once(self, what: Hashable, draw: Callable[[], T]) -> T:
        """Return the result of *draw*, which is called only the first time for this key."""
        if what not in self.drawn:
            self.drawn[what] = draw()
        found: T = self.drawn[what]
        return found

    def read(self, texts: Sequence[str]) -> tuple[Any, ...]:
        """Return the orders in canonical *texts*. Each was parsed without an error before."""
        items = self.reader.read("\n".join(texts))
        return tuple(item.order for item in items if isinstance(item, Parsed))

    def with_orders(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return the entries of a sheet with their orders; those just typed have them already.

        At most MOST_ORDERS of them count, as at the deadline.
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
    """A stored state, before the orders of a turn, and the version of its schema."""

    turn: int
    schema: int
    content: bytes = field(repr=False)


def load(session: Session, site: Site, game: Game) -> LoadedGame:
    """Return a game loaded from the store, at the current turn.

    Raises UnknownRuleset if its ruleset is not installed, and StateUnreadable if the state was
    stored with another schema than the ruleset has now.
    """
    return lay_turn(site, game, games.turn_of(session, game, game.turn))


def lay_turn(site: Site, game: Game, turn: TurnRow) -> LoadedGame:
    """Return the game loaded at *turn*, before its orders. Raises as load does."""
    return load_state(site, game, Stored(turn.number, turn.schema, turn.state))


def load_state(site: Site, game: Game, stored: Stored) -> LoadedGame:
    """Return the game loaded with a stored state. Raises as load does."""
    ruleset = ruleset_of(site.rulesets, game.ruleset)
    codec.check_schema(
        f"turn {stored.turn} of {game.name}",
        stored=stored.schema,
        known=ruleset.info.schema,
        ruleset=ruleset.info.key,
    )
    state = codec.decode(stored.content, ruleset.state_type)
    phase = ruleset.phase(state)
    return LoadedGame(game, ruleset, state, phase, order_reader(ruleset, phase))


def order_reader(ruleset: Ruleset[Any, Any], phase: Phase) -> Reader:
    """Return the reader of the orders of *phase*, which knows those of other phases by name."""
    return reader_in_phase(ruleset.grammar(phase), other_grammars(ruleset, phase))


def other_grammars(ruleset: Ruleset[Any, Any], phase: Phase) -> tuple[Grammar, ...]:
    """Return the order languages of other phases, if they are not that of *phase*."""
    source = ruleset.grammar(phase).source
    keys = (key for key in ruleset.info.phases if key != phase.key)
    grammars = (ruleset.grammar(replace(phase, key=key)) for key in keys)
    return tuple({each.source: each for each in grammars if each.source != source}.values())


def lay_to_read(session: Session, site: Site, game: Game) -> LoadedGame:
    """Return the game loaded at the current turn, for reading letters. Raises as load does.

    The letters of a turn share one decoded state: no function of a ruleset changes the state it is
    given. Adjudication decodes a state of its own all the same.
    """
    ruleset = ruleset_of(site.rulesets, game.ruleset)
    rules = site.rulesets[game.ruleset]
    shared = kept_states(id(rules), games.running_digest(session, game))
    if not shared:
        loaded = load(session, site, game)
        # The rules are kept, too, so that no others get their id.
        shared.append((rules, loaded.state, loaded.phase, loaded.reader))
    ((_rules, state, phase, reader),) = shared
    return LoadedGame(game, ruleset, state, phase, reader)


def lay_begun(session: Session, site: Site, game: Game | None) -> LoadedGame | None:
    """Return the game as ``lay_to_read`` does, or None if there is none that can be played.

    It has not begun, or its ruleset is not installed: then it waits, and its people have all else.
    """
    if game is None or not game.turn or game.ruleset not in site.rulesets:
        return None
    return lay_to_read(session, site, game)


@lru_cache(maxsize=_SHARED)
def kept_states(_rules: int, _digest: str) -> list[tuple[Any, Any, Phase, Reader]]:
    """Return the list that caches what was read of a state: rules, state, phase, reader of orders.

    The state has this digest, the rules this id. The list is empty until the state is decoded.
    """
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
    """Return the ruleset with this key, which checks the results of its functions.

    Raises UnknownRuleset if it is not installed.
    """
    if key not in rulesets:
        raise UnknownRuleset(key, tuple(rulesets))
    return checked(rulesets[key])


def title_of_rules(site: Site, key: str) -> str:
    """Return the title of a ruleset; of one that is not installed the key, and the fact."""
    rules = site.rulesets.get(key)
    return rules.info.title if rules is not None else f"{key}, not installed here now"


def check_phases(schedule: Schedule, info: RulesetInfo) -> None:
    """Raise UserError if the schedule names a phase that the ruleset does not have."""
    for span in schedule.phases:
        if span.phase not in info.phases:
            known = ", ".join(info.phases)
            raise UserError(f"{info.title} has no phase {span.phase}. Its phases: {known}.")


def house_options(game: Game) -> dict[str, Any]:
    """Return the house options of the game: the GM's choices and the defaults."""
    defaults = {option.name: option.default for option in HOUSE_OPTIONS}
    return defaults | game.options_of_house | {name: getattr(game, name) for name in _COLUMNS}


def choose(game: Game, values: Mapping[str, Any]) -> None:
    """Set house options of the game. Those with a column are stored only there."""
    others = {name: value for name, value in values.items() if name not in _COLUMNS}
    game.options_of_house = {**game.options_of_house, **others}
    for name in _COLUMNS & values.keys():
        setattr(game, name, values[name])


def dice_of(game: Game) -> Dice:
    """Return the game's dice. The rules name the purpose of each draw."""
    return Dice(game.seed)


def signups_of(game: Game) -> list[SignUp]:
    """Return the seats of the game with their players' wishes, as the rules set it up."""
    return [
        SignUp(Seat(row.number), row.name, {key: tuple(each) for key, each in row.choices.items()})
        for row in game.seats
    ]


def commitment(seed: bytes) -> str:
    """Return the hash with which anyone can check the seed after the game."""
    return hashlib.sha256(seed).hexdigest()


def ended(game: Game) -> str:
    """Return when a game ended: ``ended after turn 3``."""
    return f"ended after turn {game.last_turn}" if game.last_turn else "ended before its first turn"


def seat_name(game: Game, seat: Seat | int) -> str:
    """Return the name of a seat in the game."""
    return next(row.name for row in game.seats if row.number == seat)
