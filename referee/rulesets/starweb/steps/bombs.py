"""The preparation of planet buster bombs and robot attacks."""

from referee.rules.wording import counted
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.ships import take_ships
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.turn_state import Turn, acted

SHIPS_PER_BOMB = 25


def build_bombs(turn: Turn) -> None:
    """Turn 25 ships of a key with more than that into a bomb, one on each key (s21)."""
    for given, fleet in turn.of_fleets(o.BuildBomb):
        dropping = fleet.number in turn.bombers
        if fleet.bomb_built or (fleet.bomb and not dropping):
            given.fail(f"F{fleet.number} already carries a planet buster bomb")
        elif fleet.ships <= SHIPS_PER_BOMB:
            given.fail(f"a bomb needs more than {SHIPS_PER_BOMB} ships on F{fleet.number}")
        else:
            take_ships(turn.state, fleet, SHIPS_PER_BOMB)
            fleet.bomb = fleet.bomb_built = True


def arm(turn: Turn) -> None:
    """Record the fleets that drop a bomb they already carry (s21)."""
    for given, fleet in turn.of_fleets(o.DropBomb):
        if not fleet.bomb:
            given.fail(f"F{fleet.number} carries no planet buster bomb")
        else:
            turn.bombers[fleet.number] = given
            turn.engaged.add(fleet.number)
            acted(fleet, "D")


def ready_robots(turn: Turn) -> None:
    """Turn ships into robots that land, but never the last ship (s22)."""
    for given, fleet in turn.of_fleets(o.RobotAttack):
        count = min(given.order.count, fleet.ships - 1)
        if not turn.plays(given.seat, Character.BERSERKER):
            given.fail("only a Berserker can land robots")
        elif count < 1:
            given.fail(f"one ship must stay on F{fleet.number}")
        else:
            if count < given.order.count:
                given.remark = f"only {counted(count, 'ship')} can land, because one must stay"
            turn.attackers[fleet.number] = count
            turn.engaged.add(fleet.number)
            acted(fleet, "R")
