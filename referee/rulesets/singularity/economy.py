"""Section A, Economic: income, scrap and upkeep, repair, hiding, building (rules 6 to 10)."""

from typing import Final

from referee.rulesets.singularity.board import GRAY
from referee.rulesets.singularity.orders import Build, Hide, Repair, Scrap
from referee.rulesets.singularity.state import Player, Ship, State
from referee.rulesets.singularity.units import SYSTEM, UNITS
from referee.rulesets.singularity.working import ECONOMY, Given, Turn, counted

VALUES: Final = (5, 4, 2, 1)
"""What a planet brings by the steps on the wheel between its colour and its owner's (rule 6)."""
GRAY_VALUE: Final = 3
UPKEEP: Final = 1


def value(state: State, player: Player, colour: str) -> int:
    """Give what a planet of a colour brings to a player (rule 6)."""
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
        player.points += points
        if planets:
            text = f"{counted(len(planets), 'planet')}: {counted(points, 'point')} of income."
            turn.tell(ECONOMY, text, {seat})


def scrap(turn: Turn) -> None:
    """Give up the ships that are to be scrapped (rule 7, T9)."""
    for given in turn.given(Scrap):
        ship = turn.ship(given)
        if ship is not None:
            del turn.state.ships[ship.number]
            turn.player(given.seat).points += turn.state.rules.scrap_refund


def maintain(turn: Turn) -> None:
    """Take a point for every ship; ships that nobody can pay for are scrapped (rule 7, T10)."""
    for seat, player in turn.state.players.items():
        fleet = sorted(turn.state.fleet(seat), key=lambda ship: _worth(turn.state, ship))
        unpaid = max(0, len(fleet) - player.points // UPKEEP)
        for ship in fleet[:unpaid]:
            del turn.state.ships[ship.number]
            turn.tell(ECONOMY, f"S{ship.number} is scrapped: nobody pays its upkeep.", {seat})
        paid = (len(fleet) - unpaid) * UPKEEP
        player.points -= paid
        if fleet:
            turn.tell(ECONOMY, f"Upkeep takes {counted(paid, 'point')}.", {seat})


def _worth(state: State, ship: Ship) -> tuple[bool, int, int]:
    return not ship.dark, state.kind(ship).cost, ship.number


def repair(turn: Turn) -> None:
    """Repair damage, a point for each unit, as far as the points go (rule 8)."""
    for given in turn.given(Repair):
        ship = turn.ship(given)
        if ship is not None:
            _repair(turn, given, ship)


def _repair(turn: Turn, given: Given[Repair], ship: Ship) -> None:
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
    player.points -= len(able)
    turn.repaired.add(ship.number)


def damage(state: State, ship: Ship) -> list[str]:
    """Give the units that a ship lacks, the most urgent first (T11)."""
    whole = state.kind(ship).whole()
    return [unit for unit in UNITS for _ in range(whole.get(unit, 0) - ship.units.get(unit, 0))]


def _wanted(order: Repair, missing: list[str]) -> list[str]:
    """Give the units to repair: those that are named and missing, or so many of the missing."""
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
    """Build ships at owned planets, while there are points (rule 10)."""
    for given in turn.given(Build):
        planet = turn.planet(given)
        if planet is None:
            continue
        player, built, wanted = turn.player(given.seat), 0, 0
        for number, letter in given.order.ships:
            kind = turn.state.rules.types[letter]
            wanted += number
            for _ in range(min(number, player.points // max(1, kind.cost))):
                player.points -= kind.cost
                player.built += 1
                ship = Ship(
                    number=10 * player.built + given.seat,
                    owner=given.seat,
                    kind=letter,
                    column=planet.column,
                    level=planet.level,
                    units=kind.whole(),
                )
                turn.state.ships[ship.number] = ship
                built += 1
        if built < wanted:
            given.remark = f"the points were enough for {built} of {wanted} ships"
        if not built:
            given.fail("you have not enough points")
