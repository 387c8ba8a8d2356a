"""The Black Box: an artifact with one secret power, which works for its holder."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.starweb.state import MOST, MOST_MINES, BoxPower, Fleet, World
from referee.rulesets.starweb.steps.landing import bust
from referee.rulesets.starweb.turn_state import Turn

BLACK_BOX: Final = 100
NEW_GATES: Final = 9
BUSTING_TURN: Final = 10


@dataclass(frozen=True, slots=True)
class Holding:
    """The holder of the box, its world, and its key or None."""

    seat: Seat
    world: World
    fleet: Fleet | None


@dataclass(frozen=True, slots=True)
class Power:
    """A power of the box, how many turns of holding it takes, and its words for the GM."""

    interval: int
    sentence: str
    work: Callable[[Turn, Holding, Dice], None]


def draw_power(dice: Dice) -> BoxPower:
    """Draw the power of the box in a new game, each equally likely (s14)."""
    return dice.pick(tuple(BoxPower))


def work(turn: Turn) -> None:
    """Use the power of the box if it is held and its turn has come (s14)."""
    holding = _holding(turn)
    if holding is None:
        return
    box = turn.state.box
    box.turns += 1
    power = POWERS[box.power]
    if box.turns % power.interval == 0:
        power.work(turn, holding, turn.dice.at("black box", holding.world.number))


def _holding(turn: Turn) -> Holding | None:
    for world in turn.state.worlds.values():
        if BLACK_BOX in world.artifacts and world.owner is not None:
            return Holding(world.owner, world, None)
    for fleet in turn.state.fleets.values():
        if BLACK_BOX in fleet.artifacts and fleet.owner is not None:
            return Holding(fleet.owner, turn.world(fleet.world), fleet)
    return None


def _rest(turn: Turn, holding: Holding, dice: Dice) -> None:
    """Do nothing."""
    del turn, holding, dice


def _give_metal(turn: Turn, holding: Holding, dice: Dice) -> None:
    del turn, dice
    holding.world.metal = min(MOST, holding.world.metal + 1)


def _double_mines(turn: Turn, holding: Holding, dice: Dice) -> None:
    del turn, dice
    holding.world.mines = min(MOST_MINES, 2 * holding.world.mines)


def _open_gate(turn: Turn, holding: Holding, dice: Dice) -> None:
    """Connect the world permanently with another one, at most nine times."""
    here = holding.world
    others = [n for n in _ordinary(turn) if n != here.number and n not in here.gates]
    if others and turn.state.box.turns <= NEW_GATES:
        there = turn.world(dice.pick(others))
        here.gates = tuple(sorted({*here.gates, there.number}))
        there.gates = tuple(sorted({*there.gates, here.number}))


def _fly(turn: Turn, holding: Holding, dice: Dice) -> None:
    """Move the key that carries the box to a random world."""
    if holding.fleet is not None:
        turn.place(holding.fleet, dice.pick(_ordinary(turn)))


def _look(turn: Turn, holding: Holding, dice: Dice) -> None:
    turn.sights[holding.seat].add(dice.pick(sorted(turn.state.worlds)))


def _unmask(turn: Turn, holding: Holding, dice: Dice) -> None:
    """Show the holder's home world to all players."""
    del dice
    home = turn.player(holding.seat).home
    if home in turn.state.worlds:
        for seat in turn.state.players:
            turn.sights[seat].add(home)


def _industrialise(turn: Turn, holding: Holding, dice: Dice) -> None:
    """Add one industry every turn, and destroy the world on the tenth."""
    del dice
    if turn.state.box.turns % BUSTING_TURN == 0:
        bust(turn, holding.world, set())
    else:
        holding.world.industry = min(MOST, holding.world.industry + 1)


def _ordinary(turn: Turn) -> list[int]:
    return [number for number, world in sorted(turn.state.worlds.items()) if not world.black_hole]


POWERS: Final = {
    BoxPower.NOTHING: Power(1, "does nothing", _rest),
    BoxPower.METAL: Power(1, "adds one metal to its world every turn", _give_metal),
    BoxPower.MINES: Power(8, "doubles the mines of its world every 8th turn", _double_mines),
    BoxPower.GATES: Power(
        1, f"connects its world with another one every turn, {NEW_GATES} times", _open_gate
    ),
    BoxPower.FLIGHT: Power(5, "moves its key to a random world every 5th turn", _fly),
    BoxPower.PROBE: Power(2, "shows its holder a random world every 2nd turn", _look),
    BoxPower.UNMASKING: Power(
        6, "shows the home world of its holder to all players every 6th turn", _unmask
    ),
    BoxPower.INDUSTRY: Power(
        1,
        "adds one industry to its world every turn and destroys the world on the 10th",
        _industrialise,
    ),
}
"""The intervals count only turns in which somebody holds the box."""
