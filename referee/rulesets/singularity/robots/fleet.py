"""The ships of the robot: attacks, defence, terraformers, and new ships with a task."""

from referee.rulesets.singularity.orders import Move
from referee.rulesets.singularity.robots.flight import flight
from referee.rulesets.singularity.robots.position import Position
from referee.rulesets.singularity.robots.styles import Style
from referee.rulesets.singularity.state import Planet, Ship


def command(position: Position, style: Style) -> None:
    """Send the existing ships to planets that they can take, or towards others."""
    for planet in goals(position):
        if planet.column not in position.taken:
            _take(position, style, planet)
    for ship in position.idle():
        goal = _next(position, style, ship)
        if goal is not None and _is_safe(position, style, ship, goal):
            send(position, ship, goal)
    for ship in position.terraformers():
        if ship.drive and ship.at not in position.foes:
            _terraform(position, ship)


def goals(position: Position) -> list[Planet]:
    """Return the planets to take, the best first."""
    return sorted(position.targets(), key=lambda planet: (-_gain(position, planet), planet.column))


def _gain(position: Position, planet: Planet) -> int:
    hostile = planet.owner is not None
    return position.worth(planet) + 2 * hostile - 2 * position.foes.get(planet.at, 0)


def need(position: Position, style: Style, planet: Planet) -> int:
    """Return the weapons that are needed to take a planet.

    Out of sight, its owner can have built two warships on the first turn and one on each other.
    """
    foes = position.foes.get(planet.at, 0)
    if planet.owner is not None and not position.known.sees(position.seat, planet.at):
        foes = 1 + position.known.turn
    return 1 + foes * style.odds // 100


def _take(position: Position, style: Style, planet: Planet) -> None:
    """Send the nearest ships that together are strong enough, if they arrive in this turn."""
    wanted = need(position, style, planet)
    near = [
        ship for ship in position.idle() if position.apart(ship.at, planet.at) <= 2 * ship.drive
    ]
    near.sort(key=lambda ship: (ship.weapons, position.apart(ship.at, planet.at), ship.number))
    chosen: list[Ship] = []
    for ship in near:
        if sum(each.weapons for each in chosen) >= wanted:
            break
        if flight(position, ship, planet.at).end == planet.at:
            chosen.append(ship)
            if not style.gathers:
                break
    if sum(each.weapons for each in chosen) >= wanted:
        position.taken.add(planet.column)
        for ship in chosen:
            send(position, ship, planet)


def _next(position: Position, style: Style, ship: Ship) -> Planet | None:
    """Return the nearest planet to which no ship goes yet, or None."""
    able = [
        planet
        for planet in position.targets()
        if planet.column not in position.taken
        and (style.gathers or need(position, style, planet) <= ship.weapons)
    ]
    return min(
        able, key=lambda planet: (position.apart(ship.at, planet.at), planet.column), default=None
    )


def _is_safe(position: Position, style: Style, ship: Ship, planet: Planet) -> bool:
    """Return whether a ship would not meet stronger enemies at a planet in this turn."""
    arrives = flight(position, ship, planet.at).end == planet.at
    return not arrives or ship.weapons >= need(position, style, planet)


def send(position: Position, ship: Ship, planet: Planet) -> None:
    """Order a ship to move towards a planet."""
    position.busy.add(ship.number)
    way = flight(position, ship, planet.at)
    if way.segments:
        position.orders.append(Move(ship.number, way.segments))


def _terraform(position: Position, ship: Ship) -> None:
    """Move a terraformer to the next planet, if the one where it is has our colour."""
    able = position.to_terraform(but=ship)
    goal = min(able, key=lambda p: (position.apart(ship.at, p.at), p.column), default=None)
    if goal is not None and goal.at != ship.at:
        send(position, ship, goal)
