"""The Encounter phase: battles, and all that ships meet (rules 17 to 23, 32)."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.starfarers import battle, landing, strangers
from referee.rulesets.starfarers.orders import Attack, Target
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import Base, Hex, Kind, Ship, State
from referee.rulesets.starfarers.turn_state import Round


def meet(game: Round, seat: Seat) -> None:
    """Handle all that the ships of a player meet, ship by ship."""
    _attack(game, seat)
    for ship in sorted(game.state.fleet(seat), key=lambda ship: ship.number):
        _enter_ranges(game, ship)
    for place in list(game.state.hexes.values()):
        if place.kind is Kind.PIRATES:
            strangers.meet_pirates(game, seat, place)
    for ship in sorted(game.state.fleet(seat), key=lambda ship: ship.number):
        if ship.number in game.state.ships and not ship.mercenary:
            landing.land(game, ship)


def _attack(game: Round, seat: Seat) -> None:
    """Carry out the ordered attacks (rule 32)."""
    attackers: set[int] = set()
    for given in game.unused(seat, Attack):
        ship = game.ship(given)
        if ship is None:
            continue
        reason = objection_to_attack(table_of(game.state, seat), ship, given.order)
        if reason or ship.number in attackers:
            given.fail(reason or f"S{ship.number} has already attacked this turn")
            continue
        attackers.add(ship.number)
        given.succeed()
        _strike(game, ship, given)


def objection_to_attack(state: State, ship: Ship, order: Attack) -> str:
    """Return why a ship cannot attack its target, or an empty string."""
    if ship.mercenary:
        return f"S{ship.number} is a mercenary and only supports your starships"
    if not state.is_ready(ship):
        return f"S{ship.number} is being rebuilt and fights from the next round"
    name = f"{order.target.value}{order.number}"
    target = _target(state, order)
    if target is None:
        return state.absent(name)
    hexes, owner = target
    if owner is not None and state.friends(ship.owner, owner):
        return f"{name} belongs to your ally" if owner != ship.owner else f"{name} is your own"
    if not any(state.near(ship.hex, number) for number in hexes):
        return f"S{ship.number} is not next to {name}"
    if order.target is Target.SHIP and not state.is_ready(state.ships[order.number]):
        return f"{name} is being rebuilt and cannot be attacked in this round"
    if order.target is Target.MOTHERSHIP and owner and state.players[owner].captor is not None:
        return f"{name} is already captured"
    if order.target is Target.HEX and not _is_hostile(state.hexes[order.number], ship):
        return f"nobody at {name} can be attacked"
    return ""


def _target(state: State, order: Attack) -> tuple[Sequence[int], Seat | None] | None:
    """Return the hexes and the owner of a target, or None if it does not exist."""
    number = order.number
    match order.target:
        case Target.SHIP if number in state.ships:
            return [state.ships[number].hex], state.ships[number].owner
        case Target.BASE if number in state.bases:
            return state.hexes_of(state.bases[number]), state.bases[number].owner
        case Target.MOTHERSHIP if Seat(number) in state.players:
            return [state.mothership(Seat(number)).number], Seat(number)
        case Target.HEX if number in state.hexes:
            return [number], None
    return None


def owner_of(state: State, order: Attack) -> Seat | None:
    """Return the owner of an attack's target, or None."""
    target = _target(state, order)
    return None if target is None else target[1]


def hexes_of(state: State, order: Attack) -> Sequence[int]:
    """Return the hexes of an attack's target; the attacker closes in on the first."""
    target = _target(state, order)
    return () if target is None else target[0]


def _is_hostile(place: Hex, ship: Ship) -> bool:
    """Return whether a hex has pirates or aliens, or could have: the ship has not landed yet."""
    if place.card is not None and ship.owner in place.met:
        return place.card.strength > 0
    return place.kind is Kind.PIRATES or (place.occupied and ship.hex == place.number)


def _strike(game: Round, ship: Ship, given: SheetOrder[Attack]) -> None:
    state, number = game.state, given.order.number
    match given.order.target:
        case Target.SHIP:
            _close_in(game, ship, [state.ships[number].hex])
            battle.attack_ship(game, ship, state.ships[number])
        case Target.BASE:
            _close_in(game, ship, state.hexes_of(state.bases[number]))
            battle.attack_base(game, ship, state.bases[number])
        case Target.MOTHERSHIP:
            _close_in(game, ship, [state.mothership(Seat(number)).number])
            battle.attack_mothership(game, ship, Seat(number))
        case Target.HEX:
            _close_in(game, ship, [number])
            _strike_strangers(game, ship, given)


def _strike_strangers(game: Round, ship: Ship, given: SheetOrder[Attack]) -> None:
    """Attack pirates, or the people of a planet if they are aliens (rules 19, 23)."""
    place = game.state.hexes[given.order.number]
    if place.kind is Kind.PIRATES:
        strangers.meet_pirates(game, ship.owner, place, ship)
        return
    landing.meet_people(game, ship, place)
    if place.card is not None and place.card.strength:
        place.met.update(game.state.players)
        strangers.attack_aliens(game, ship, place, place.card)
    else:
        given.fail(f"nobody at H{place.number} fights")


def _close_in(game: Round, ship: Ship, hexes: Sequence[int]) -> None:
    """Move an attacker onto its target (rule 32). A wormhole needs a booster (rule 13)."""
    goal = game.state.hexes[hexes[0]]
    wormhole = goal.kind is Kind.WORMHOLE and not game.player(ship.owner).boosters
    if ship.hex not in hexes and not wormhole:
        game.bring(ship, goal.number)


def _enter_ranges(game: Round, ship: Ship) -> None:
    """Fight pirates near a ship, and enemies whose range it entered (rule 12)."""
    state = game.state
    if ship.number not in state.ships or ship.mercenary:
        return
    pirates = [
        place
        for place in state.hexes.values()
        if place.kind is Kind.PIRATES and state.near(ship.hex, place.number)
    ]
    for place in pirates:
        strangers.meet_pirates(game, ship.owner, place)
    # A ship that they have beaten is no longer where it arrived.
    if ship.number in game.arrived and not _has_fought(game, ship):
        _meet_enemies(game, ship)


def _has_fought(game: Round, ship: Ship) -> bool:
    """Return whether a ship has attacked by order. One battle is enough for an arrival."""
    return any(
        given.used and not given.failed and given.order.ship == ship.number
        for given in game.sheets.get(ship.owner, ())
        if isinstance(given.order, Attack)
    )


def _meet_enemies(game: Round, ship: Ship) -> None:
    """Attack the nearest hostile unit whose range the ship entered, bases first (G15)."""
    state = game.state
    here = state.hexes[ship.hex]
    bases = [
        base
        for base in state.bases.values()
        if state.at_war(ship.owner, base.owner) and (here.galaxy, here.at) in state.zone_of(base)
    ]
    ships = [
        other
        for other in state.ships.values()
        if other.owner != ship.owner
        and state.is_ready(other)
        and state.at_war(ship.owner, other.owner)
        and state.near(other.hex, ship.hex)
    ]
    if bases:
        nearest = min(bases, key=lambda base: (not _is_under(state, base, here), base.number))
        battle.attack_base(game, ship, nearest)
    elif ships:
        closest = min(ships, key=lambda other: (other.hex != ship.hex, other.number))
        battle.attack_ship(game, ship, closest)


def _is_under(state: State, base: Base, here: Hex) -> bool:
    return (here.galaxy, here.at) in state.places_of(base)
