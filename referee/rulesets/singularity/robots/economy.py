"""The points of the robot: repairs, then new ships where they are useful at once."""

from referee.rulesets.singularity.economy import damage
from referee.rulesets.singularity.orders import Repair
from referee.rulesets.singularity.robots.fleet import goals, need, send
from referee.rulesets.singularity.robots.flight import flight
from referee.rulesets.singularity.robots.position import Position
from referee.rulesets.singularity.robots.styles import Style
from referee.rulesets.singularity.state import Planet


def repair(position: Position, style: Style) -> None:
    """Repair ships, the dark ones first; the ships can move in the same turn."""
    for ship in sorted(position.ships, key=lambda ship: (not ship.dark, ship.number)):
        missing = damage(position.known, ship)
        if not missing or not (ship.dark or style.repairs):
            continue
        if ship.dark and ship.at in position.foes:
            continue
        able = missing[: position.points]
        if able:
            position.points -= len(able)
            position.orders.append(Repair(ship.number, len(able)))
            for unit in able:
                ship.units[unit] = ship.units.get(unit, 0) + 1


def build(position: Position, style: Style) -> None:
    """Build terraformers where they work at once, then warships."""
    if not position.planets:
        return
    left = style.ships
    enough = len(position.planets) // style.terraformers if style.terraformers else 0
    if len(position.terraformers()) < enough and _build_terraformer(position):
        left -= 1
    while left and _build_warship(position, style):
        left -= 1


def _build_terraformer(position: Position) -> bool:
    able = position.to_terraform()
    if not able or position.points < position.cost("T"):
        return False
    planet = min(able, key=lambda p: (position.worth(p), p.column))
    position.build(position.new_ship(planet, "T"))
    return True


def _build_warship(position: Position, style: Style) -> bool:
    """Build a warship that takes a planet at once, or one that guards. Return whether it can."""
    able = [planet for planet in goals(position) if planet.column not in position.taken]
    kinds = style.fighters
    if any(planet.owner is None for planet in able):
        kinds = style.settlers + kinds
    kind = next((kind for kind in kinds if position.cost(kind) <= position.points), None)
    if kind is None:
        return False
    for planet in able if position.moves else ():
        base = min(position.planets, key=lambda own: position.apart(own.at, planet.at))
        ship = position.new_ship(base, kind)
        is_strong = base.at not in position.foes and need(position, style, planet) <= ship.weapons
        if is_strong and flight(position, ship, planet.at).end == planet.at:
            position.build(ship)
            position.taken.add(planet.column)
            send(position, ship, planet)
            return True
    position.build(position.new_ship(_in_danger(position), kind))
    return True


def _in_danger(position: Position) -> Planet:
    """Return our planet that enemies are nearest to, of equal ones the most valuable."""
    near = {
        planet.column: min((position.apart(planet.at, at) for at in position.foes), default=0)
        for planet in position.planets
    }
    return min(position.planets, key=lambda p: (near[p.column], -position.worth(p), p.column))
