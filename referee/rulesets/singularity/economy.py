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
"""The income from a planet, by the steps on the wheel from its colour to its owner's (rule 6)."""
GRAY_VALUE: Final = 3
UPKEEP: Final = 1


def value(state: State, player: Player, colour: str) -> int:
    """Return the points that a planet of this colour brings to a player (rule 6)."""
    if colour == GRAY:
        return GRAY_VALUE
    wheel = state.rules.wheel
    apart = abs(wheel.index(colour) - wheel.index(player.colour))
    return VALUES[min(apart, len(wheel) - apart)]


def collect(turn: Turn) -> None:
    """Pay all players the points from their planets (rule 6)."""
    for seat, player in turn.state.players.items():
        planets = turn.state.planets_of(seat)
        points = sum(value(turn.state, player, planet.colour) for planet in planets)
        turn.book(seat, f"income from {counted(len(planets), 'planet')}", points)


def scrap(turn: Turn) -> None:
    """Scrap ships as ordered (rule 7, T9)."""
    for given in turn.given(Scrap):
        ship = turn.ship(given)
        if ship is not None:
            del turn.state.ships[ship.number]
            turn.scrapped[given.seat, ship.number] = f"S{ship.number}X scraps it first"
            turn.book(given.seat, "for scrap", turn.state.rules.scrap_refund)


def maintain(turn: Turn) -> None:
    """Take a point for every ship. Ships whose owner cannot pay are scrapped (rule 7, T10)."""
    for seat in turn.ledger:
        for ship in unpaid(turn.state, turn.player(seat)):
            turn.unpaid.append(ship)
            del turn.state.ships[ship.number]
            reason = f"S{ship.number} is scrapped: you have no point for its upkeep"
            turn.scrapped[seat, ship.number] = reason
            turn.tell(ECONOMY, f"{reason}.", {seat})
        turn.book(seat, "upkeep", -UPKEEP * len(turn.state.fleet(seat)))


def unpaid(state: State, player: Player) -> list[Ship]:
    """Return the ships whose upkeep a player cannot pay: dark ones first, then cheap ones (T10)."""
    fleet = sorted(state.fleet(player.seat), key=lambda ship: _worth(state, ship))
    return fleet[: max(0, len(fleet) - player.points // UPKEEP)]


def _worth(state: State, ship: Ship) -> tuple[bool, int, int]:
    return not ship.dark, state.kind(ship).cost, ship.number


def repair(turn: Turn) -> None:
    """Repair damage for a point for each unit, while the owner has points (rule 8)."""
    for given in turn.given(Repair):
        ship = turn.ship(given)
        if ship is not None:
            _repair(turn, given, ship)


def _repair(turn: Turn, given: SheetOrder[Repair], ship: Ship) -> None:
    player = turn.player(given.seat)
    missing = damage(turn.state, ship)
    wanted = _wanted(given.order, missing)
    if not wanted:
        left = " left" if ship.number in turn.repaired else ""
        given.fail(f"S{ship.number} has no such damage{left}")
        return
    able = wanted[: player.points]
    if len(able) < len(wanted):
        given.remark = f"you have {counted(player.points, 'point')} left for {len(wanted)} repairs"
    elif len(wanted) < (len(given.order.units) or given.order.points):
        only = "".join(wanted) if given.order.units else counted(len(wanted), "unit")
        given.remark = f"S{ship.number} repairs only {only}: it has no other such damage"
    if not able:
        given.fail("you have no points left")
        return
    for unit in able:
        ship.units[unit] = ship.units.get(unit, 0) + 1
    turn.book(given.seat, "repairs", -len(able))
    turn.repaired.add(ship.number)


def damage(state: State, ship: Ship) -> list[str]:
    """Return the damaged units of a ship, the most urgent first (T11)."""
    whole = state.kind(ship).undamaged()
    return [unit for unit in UNITS for _ in range(whole.get(unit, 0) - ship.units.get(unit, 0))]


def _wanted(order: Repair, missing: list[str]) -> list[str]:
    """Return the units to repair: the damaged ones named, or the given number of damaged ones."""
    if not order.units:
        return missing[: order.points]
    left, wanted = list(missing), []
    for unit in order.units:
        if unit in left:
            left.remove(unit)
            wanted.append(unit)
    return wanted


def hide(turn: Turn) -> None:
    """Make ships dark, unless they were repaired this turn (rule 9)."""
    for given in turn.given(Hide):
        ship = turn.ship(given)
        if ship is None:
            continue
        if ship.number in turn.repaired:
            given.fail(f"S{ship.number} is repaired this turn, so it cannot hide")
        elif ship.dark:
            given.fail(f"S{ship.number} is already dark")
        else:
            ship.units[SYSTEM] = 0
            turn.hidden.add(ship.number)


def build(turn: Turn) -> None:
    """Build ships at owned planets while points last, even with enemies there (rule 10, T12)."""
    for given in turn.given(Build):
        planet = turn.planet(given)
        if planet is None:
            continue
        wanted = sum(number for number, _ in given.order.ships)
        built = [
            _build_ship(turn, planet, given.seat, turn.state.rules.types[letter])
            for number, letter in given.order.ships
            for _ in range(min(number, _affordable(turn, given.seat, letter)))
        ]
        if built:
            ships = ", ".join(f"S{ship.number} ({NAMES[ship.kind]})" for ship in built)
            turn.tell(ECONOMY, f"W{planet.column} builds {ships}.", {given.seat})
        else:
            given.fail("you do not have enough points")
        if len(built) < wanted:
            given.remark = given.remark or f"your points pay for {len(built)} of {wanted} ships"


def _affordable(turn: Turn, seat: Seat, letter: str) -> int:
    return turn.player(seat).points // turn.state.rules.types[letter].cost


def _build_ship(turn: Turn, planet: Planet, seat: Seat, kind: ShipType) -> Ship:
    """Build a ship, pay for it, and return it."""
    turn.book(seat, "ships", -kind.cost)
    number = turn.state.next_number(seat)
    turn.player(seat).built += 1
    ship = Ship(number, seat, kind.letter, planet.column, planet.level, kind.undamaged())
    turn.state.ships[number] = ship
    return ship


def account(turn: Turn) -> None:
    """Report to all players where their points came from and went."""
    for seat, entries in turn.ledger.items():
        saved, left = turn.before.players[seat].points, turn.player(seat).points
        changes = "".join(
            f" {'+' if points > 0 else '-'} {abs(points)} {what}"
            for what, points in entries.items()
            if points
        )
        if saved or changes:
            turn.tell(ECONOMY, f"Points: {saved} saved{changes} = {left}.", {seat})
