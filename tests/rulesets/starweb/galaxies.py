"""Small galaxies for tests, written in the printout's notation."""

from collections.abc import Mapping, Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Outcome, Resolution, Seat
from referee.rulesets.starweb.orders import Order
from referee.rulesets.starweb.state import Character, Player, State
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.records import read_records
from referee.rulesets.starweb.turn import resolve

CERES, MARS, TEJAT = Seat(1), Seat(2), Seat(3)
NAMES = {CERES: "CERES", MARS: "MARS", TEJAT: "TEJAT"}
DICE = Dice(b"a galaxy for tests")


def galaxy(records: str, characters: Mapping[Seat, Character] | None = None) -> State:
    """Return a state of three players who have not met, by default Empire Builders."""
    chosen = characters or {}
    players = {
        seat: Player(seat, name, chosen.get(seat, Character.EMPIRE_BUILDER), home=int(seat))
        for seat, name in NAMES.items()
    }
    return place_everything(players, read_records(records))


def resolved(state: State, **orders: Sequence[Order]) -> Resolution[State, Order]:
    """Resolve a turn with the orders of the players named."""
    seats = {name: seat for seat, name in NAMES.items()}
    sheets = {seats[name.upper()]: sheet for name, sheet in orders.items()}
    return resolve(state, sheets, frozenset(), DICE)


def outcome(state: State, order: Order, **others: Sequence[Order]) -> Outcome:
    """Return the outcome of an order of CERES."""
    ((_, what),) = resolved(state, ceres=[order], **others).outcomes[CERES]
    return what
