"""Section A, Economic: income, scrap and upkeep, repair, hiding, building (rules 6 to 10)."""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import counted
from referee.rulesets.singularity.board import GRAY
from referee.rulesets.singularity.orders import Build, Hide, Repair, Scrap
from referee.rulesets.singularity.state import Planet, Player, Ship, State
from referee.rulesets.singularity.turn_state import ECONOMY, Turn
from referee.rulesets.singularity.units import NAMES, SYSTEM, UNITS, ShipType

VALUES: Final = (5, 4, 2, 1)
"""What a planet brings by the steps on the wheel between its colour and its owner's (rule 6)."""
GRAY_VALUE: Final = 3
UPKEEP: Final = 1


def value(state: State, player: Player, colour: str) -> int:
    """Return what a planet of a colour brings to a player (rule 6)."""
    if colour == GRAY:
        return GRAY_VALUE
    wheel = state.rules.wheel
    apart = abs(wheel.index(colour) - wheel.index(player.colour))
    return VALUES[min(apart, len(wheel) - apart)]


def collect(turn: Turn) -> None:
    """Give everybody the points of his planets (rule 6)."""
    for seat, player in turn.state.players.items():
        planets = turn.state.planets_of(seat)
        points = sum(value(turn.state, player, planet.colour) for planet in planets)
        turn.book(seat, f"income from {counted(len(planets), 'planet')}", points)


def scrap(turn: Turn) -> None:
    """Give up the ships that are to be scrapped (rule 7, T9)."""
    for given in turn.given(Scrap):
        ship = turn.ship(given)
        if ship is not None:
            del turn.state.ships[ship.number]
            turn.book(given.seat, "for scrap", turn.state.rules.scrap_refund)


def maintain(turn: Turn) -> None:
    """Take a point for every ship; ships that nobody can pay for are scrapped (rule 7, T10)."""
    for seat, player in turn.state.players.items():
        fleet = sorted(turn.state.fleet(seat), key=lambda ship: _worth(turn.state, ship))
        unpaid = max(0, len(fleet) - player.points // UPKEEP)
        for ship in fleet[:unpaid]:
            del turn.state.ships[ship.number]
            turn.tell(ECONOMY, f"S{ship.number} is scrapped: nobody pays its upkeep.", {seat})
        turn.book(seat, "upkeep", -UPKEEP * (len(fleet) - unpaid))


def _worth(state: State, ship: Ship) -> tuple[bool, int, int]:
    return not ship.dark, state.kind(ship).cost, ship.number


def repair(turn: Turn) -> None:
    """Repair damage, a point for each unit, as far as the points go (rule 8)."""
    for given in turn.given(Repair):
        ship = turn.ship(given)
        if ship is not None:
            _repair(turn, given, ship)


def _repair(turn: Turn, given: SheetOrder[Repair], ship: Ship) -> None:
    player = turn.player(given.seat)
    missing = damage(turn.state, ship)
    wanted = _wanted(given.order, missing)
    if not wanted:
        given.fail(f"S{ship.number} has no such damage")
        return
    able = wanted[: player.points]
    if len(able) < len(wanted):
        given.remark = f"{counted(player.points, 'point')} left for {len(wanted)} repairs"
    if not able:
        given.fail("you have no points left")
        return
    for unit in able:
        ship.units[unit] = ship.units.get(unit, 0) + 1
    turn.book(given.seat, "repairs", -len(able))
    turn.repaired.add(ship.number)


def damage(state: State, ship: Ship) -> list[str]:
    """Return the units that a ship lacks, the most urgent first (T11)."""
    whole = state.kind(ship).whole()
    return [unit for unit in UNITS for _ in range(whole.get(unit, 0) - ship.units.get(unit, 0))]


def _wanted(order: Repair, missing: list[str]) -> list[str]:
    """Return the units to repair: those that are named and missing, or so many of the missing."""
    if not order.units:
        return missing[: order.points]
    left, wanted = list(missing), []
    for unit in order.units:
        if unit in left:
            left.remove(unit)
            wanted.append(unit)
    return wanted


def hide(turn: Turn) -> None:
    """Let ships that are not repaired go dark (rule 9)."""
    for given in turn.given(Hide):
        ship = turn.ship(given)
        if ship is None:
            continue
        if ship.number in turn.repaired:
            given.fail(f"S{ship.number} is being repaired")
        elif ship.dark:
            given.fail(f"S{ship.number} is dark already")
        else:
            ship.units[SYSTEM] = 0


def build(turn: Turn) -> None:
    """Build ships at owned planets, while there are points, enemies there or not (rule 10, T12)."""
    for given in turn.given(Build):
        planet = turn.planet(given)
        if planet is None:
            continue
        wanted = sum(number for number, _ in given.order.ships)
        built = [
            _launched(turn, planet, given.seat, turn.state.rules.types[letter])
            for number, letter in given.order.ships
            for _ in range(min(number, _affordable(turn, given.seat, letter)))
        ]
        if built:
            ships = ", ".join(f"S{ship.number} ({NAMES[ship.kind]})" for ship in built)
            turn.tell(ECONOMY, f"W{planet.column} builds {ships}.", {given.seat})
        else:
            given.fail("you have not enough points")
        if len(built) < wanted:
            given.remark = given.remark or f"the points were enough for {len(built)} of {wanted}"


def _affordable(turn: Turn, seat: Seat, letter: str) -> int:
    return turn.player(seat).points // turn.state.rules.types[letter].cost


def _launched(turn: Turn, planet: Planet, seat: Seat, kind: ShipType) -> Ship:
    """Build a ship and pay for it."""
    turn.book(seat, "ships", -kind.cost)
    turn.player(seat).built += 1
    number = 10 * turn.player(seat).built + seat
    ship = Ship(number, seat, kind.letter, planet.column, planet.level, kind.whole())
    turn.state.ships[number] = ship
    return ship


def account(turn: Turn) -> None:
    """Tell everybody where his points came from and went to."""
    for seat, entries in turn.ledger.items():
        saved, left = turn.before.players[seat].points, turn.player(seat).points
        changes = "".join(
            f" {'+' if points > 0 else '-'} {abs(points)} {what}"
            for what, points in entries.items()
            if points
        )
        if saved or changes:
            turn.tell(ECONOMY, f"Points: {saved} saved{changes} = {left}.", {seat})
