"""The points of the robot: repairs, then new ships where they are useful at once."""

from referee.rulesets.singularity.economy import UPKEEP, damage
from referee.rulesets.singularity.orders import Repair, Scrap
from referee.rulesets.singularity.robots.fleet import goals, need, send
from referee.rulesets.singularity.robots.flight import flight
from referee.rulesets.singularity.robots.position import Position
from referee.rulesets.singularity.robots.styles import Style
from referee.rulesets.singularity.state import Planet, Ship
from referee.rulesets.singularity.units import WEAPON


def repair(position: Position, style: Style) -> None:
    """Repair ships, the dark ones first; the ships can move in the same turn.

    Dark ships under stronger enemies are left as they are, or scrapped to save their upkeep.
    """
    for ship in sorted(position.ships, key=lambda ship: (not ship.dark, ship.number)):
        missing = damage(position.known, ship)
        if ship.dark and _is_outgunned(position, ship):
            if style.scraps:
                position.orders.append(Scrap(ship.number))
                position.ships.remove(ship)
                position.points += UPKEEP
        elif position.points and missing and (ship.dark or style.repairs):
            repaired = missing[: position.points]
            position.points -= len(repaired)
            position.orders.append(Repair(ship.number, len(repaired)))
            for unit in repaired:
                ship.units[unit] = ship.units.get(unit, 0) + 1


def _is_outgunned(position: Position, ship: Ship) -> bool:
    """Return whether enemies at a ship have more weapons than our ships there with repairs."""
    own = (position.rules.types[s.kind].undamaged() for s in position.ships if s.at == ship.at)
    return sum(units.get(WEAPON, 0) for units in own) < position.foes.get(ship.at, 0)


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
    for planet in goals(position) if position.moves else ():
        wanted = need(position, style, planet)
        kind = _kind(position, style.settlers if wanted == 1 else style.fighters)
        if kind is None or planet.column in position.taken:
            continue
        base = min(position.planets, key=lambda own: position.apart(own.at, planet.at))
        ship = position.new_ship(base, kind)
        is_strong = base.at not in position.foes and wanted <= ship.weapons
        if is_strong and flight(position, ship, planet.at).end == planet.at:
            position.build(ship)
            position.taken.add(planet.column)
            send(position, ship, planet)
            return True
    kind = _kind(position, style.fighters)
    if kind is not None:
        position.build(position.new_ship(_in_danger(position), kind))
    return kind is not None


def _kind(position: Position, kinds: str) -> str | None:
    """Return the first type of ship that the points pay for, or None."""
    return next((kind for kind in kinds if position.cost(kind) <= position.points), None)


def _in_danger(position: Position) -> Planet:
    """Return our planet nearest to enemies; of equally near ones, the most valuable."""
    near = {
        planet.column: min((position.apart(planet.at, at) for at in position.foes), default=0)
        for planet in position.planets
    }
    return min(position.planets, key=lambda p: (near[p.column], -position.worth(p), p.column))
