"""Battles with pirates and hostile aliens (rules 19, 23, 34, 37)."""

from collections.abc import Iterator
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.wording import counted
from referee.rulesets.starfarers.battle import Side, compare, lose, rank, side_of
from referee.rulesets.starfarers.goods import NAMES, Goods, of
from referee.rulesets.starfarers.losses import fall, retreat
from referee.rulesets.starfarers.state import Base, Card, Hex, Kind, Ship, State, apart
from referee.rulesets.starfarers.turn_state import BATTLES, Attack, Capture, Round

SALVAGE: Final = Goods(carbon=1, goods=1, ore=1)
"""The cards from a wreck of pirates (rule 37)."""
HOARD: Final = 3
"""The cards that aliens guard (G5)."""


def prey(state: State, seat: Seat, pirates: Hex) -> Ship | Base | None:
    """Return the ship or base in range that pirates attack, bases first, or None (rule 37)."""
    near = [base for base in state.bases_of(seat) if _is_close(state, base, pirates)]
    if near:
        return min(near, key=rank)
    fleet = [ship for ship in state.fleet(seat) if state.is_ready(ship)]
    ships = [ship for ship in fleet if state.near(ship.hex, pirates.number)]
    return min(ships, key=lambda ship: (ship.mercenary, ship.number), default=None)


def threats(state: State, seat: Seat) -> Iterator[tuple[Hex, str]]:
    """Yield the pirates that will attack a player, each with the ship or base, such as B7."""
    for place in state.hexes.values():
        if place.kind is Kind.PIRATES and (target := prey(state, seat, place)) is not None:
            yield place, _called(target)


def _called(target: Ship | Base) -> str:
    return f"S{target.number}" if isinstance(target, Ship) else f"B{target.number}"


def _is_close(state: State, base: Base, pirates: Hex) -> bool:
    places = state.places_of(base)
    return any(seat == pirates.galaxy and apart(at, pirates.at) <= 1 for seat, at in places)


def meet_pirates(game: Round, seat: Seat, pirates: Hex, attacker: Ship | None = None) -> None:
    """Fight the pirates of a hex, once a turn (rules 23, 34, 37, G17).

    They attack a ship or base in their range, unless an *attacker* attacks them by order.
    """
    state = game.state
    target = attacker or prey(state, seat, pirates)
    if target is None or (seat, pirates.number) in game.met:
        return
    game.met.add((seat, pirates.number))
    defender = _defence(game, seat, pirates, target)
    firepower = f"1 fighter + {counted(pirates.cannons, 'cannon')}"
    enemy = Side("the pirates", firepower=firepower, strength=1 + pirates.cannons)
    name = _called(target)
    what = f"Pirates at H{pirates.number} attack {name} of {game.name(seat)}"
    if attacker is not None:
        what = f"{name} of {game.name(seat)} attacks the pirates at H{pirates.number}"
    else:
        game.attacks.append(Attack(seat, name, target.hex, enemy.called))
    result = compare(game, defender, enemy, what, pirates.number)
    if result > 0:
        game.won.append((seat, f"beat the pirates at H{pirates.number}", pirates.number))
        game.earn(seat, SALVAGE)
        _clear(game, pirates)
    elif result < 0:
        _plunder(game, defender, target, enemy)
        retreat(game, defender.beaten, lambda number: state.near(number, pirates.number))


def _defence(game: Round, seat: Seat, pirates: Hex, target: Ship | Base) -> Side:
    if isinstance(target, Ship):
        return side_of(game, seat, None, [pirates.number, target.hex], target)
    return side_of(game, seat, None, [pirates.number, *game.state.hexes_of(target)])


def _plunder(game: Round, defender: Side, target: Ship | Base, pirates: Side) -> None:
    """Destroy the target of pirates, or a ship if they leave the base (G18)."""
    if isinstance(target, Ship):
        lose(game, defender, target, pirates)
    elif game.state.rules.pirates_destroy:
        game.captures.append(Capture(target.number, target.owner, None))
        del game.state.bases[target.number]
        owner = game.name(target.owner)
        game.tell(BATTLES, f"The pirates destroy B{target.number} of {owner}.", target.hex)
    elif defender.ships:
        lose(game, defender, defender.ships[0], pirates)


def _clear(game: Round, pirates: Hex) -> None:
    """Remove beaten pirates and explore their place again, if tiles are left (rule 37, G22)."""
    bag = game.state.bags[pirates.galaxy]
    tile = bag.pop(0) if bag else None
    pirates.kind, pirates.cannons = (Kind.EMPTY, 0) if tile is None else (tile.kind, tile.cannons)
    pirates.resource = "" if tile is None else tile.resource
    pirates.occupied = tile is not None and tile.occupied
    what = f"H{pirates.number} is explored again: {described(pirates)}."
    game.tell(BATTLES, what, pirates.number)
    for ship in [s for s in game.state.ships.values() if s.hex == pirates.number]:
        fall(game, ship)


def described(place: Hex) -> str:
    """Return the content of a hex in words."""
    if place.kind is Kind.PLANET:
        planet = "an occupied planet" if place.occupied else "a planet"
        return f"{planet} of {NAMES[place.resource]}"
    if place.kind is Kind.PIRATES:
        return f"pirates with {counted(place.cannons, 'cannon')}"
    if place.kind in (Kind.EMPTY, Kind.MERCENARIES):
        return {Kind.EMPTY: "empty space", Kind.MERCENARIES: "mercenaries"}[place.kind]
    return f"a {place.kind.value}"


def attack_aliens(game: Round, ship: Ship, place: Hex, card: Card) -> None:
    """Attack the aliens of a planet for their cards (rule 19, G5)."""
    attacker = side_of(game, ship.owner, None, [place.number], ship)
    strength = card.strength
    enemy = Side("the aliens", firepower=f"strength {strength}", strength=strength)
    what = f"S{ship.number} of {attacker.called} attacks the aliens at H{place.number}"
    result = compare(game, attacker, enemy, what, place.number)
    if result > 0:
        game.earn(ship.owner, of(place.resource, HOARD))
        game.won.append((ship.owner, f"beat the aliens at H{place.number}", place.number))
        place.settle()
        # The ship can also mine the planet, even if it was there before.
        if ship.hex == place.number:
            game.arrived[ship.number] = place.number
    elif result < 0:
        lose(game, attacker, ship, enemy)
        retreat(game, attacker.beaten, lambda number: number == place.number)
