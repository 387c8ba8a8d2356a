"""Battles: who is in range, thrust and firepower, and what the winner takes (rules 29 to 38)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import BaseKind, Want
from referee.rulesets.starfarers.state import Base, Hex, Kind, Ship, State, apart
from referee.rulesets.starfarers.working import BATTLES, Round

SALVAGE: Final = Goods(carbon=1, goods=1, ore=1)
"""What the wreck of pirates brings (rule 37)."""
WORTH: Final = (BaseKind.SPACEPORT, BaseKind.COLONY, BaseKind.TRADE_PORT)
"""Which base is taken first (G20)."""


@dataclass(slots=True)
class Side:
    """One side of a battle: who leads it, and what fights for it."""

    leader: Seat | None
    """None for pirates and aliens."""
    ships: list[Ship] = field(default_factory=list)
    bases: list[Base] = field(default_factory=list)
    strength: int = 0
    """The fighters and cannons of pirates and aliens."""

    @property
    def fighters(self) -> int:
        """Give the number of ships and bases."""
        return len(self.ships) + len(self.bases)


def in_range(
    state: State, seats: Iterable[Seat], hexes: Sequence[int]
) -> tuple[list[Ship], list[Base]]:
    """Give the ships and bases of *seats* that reach one of the hexes (rules 29, 30)."""
    owners = set(seats)
    ships = [
        ship
        for ship in state.ships.values()
        if ship.owner in owners and any(state.near(ship.hex, number) for number in hexes)
    ]
    places = {(state.hexes[number].galaxy, state.hexes[number].at) for number in hexes}
    bases = [
        base
        for base in state.bases.values()
        if base.owner in owners and state.places_of(base) & places
    ]
    return ships, bases


def side_of(game: Round, leader: Seat, hexes: Sequence[int], fights: Ship | None = None) -> Side:
    """Give a player's side around the hexes, with the allies who fight beside him (rules 32, 40).

    Ships that stand back are left out, but the one that *fights*, or is attacked, never is.
    """
    state = game.state
    seats = [leader, *sorted(state.players[leader].allies)]
    ships, bases = in_range(state, seats, hexes)
    ships = [ship for ship in ships if ship is fights or ship.number not in game.idle_support]
    if fights is not None and fights not in ships:
        ships.append(fights)
    there = {leader, *(ship.owner for ship in ships), *(base.owner for base in bases)}
    return Side(_lead(state, [seat for seat in seats if seat in there]), ships, bases)


def _lead(state: State, seats: Sequence[Seat]) -> Seat:
    """Give whose prototype counts: of allies that of him who has his mothership (rule 40)."""
    keepers = [seat for seat in seats if state.players[seat].captor is None]
    return keepers[0] if keepers and len(seats) > 1 else seats[0]


def score(game: Round, side: Side, number: int, which: int) -> tuple[int, str]:
    """Give a side's score, and how it comes about, with the thrust that is drawn (rules 33, 34)."""
    rules = game.state.rules
    dice = game.dice.at("thrust", number, which)
    drawn = dice.shuffled(rules.thrust)[:2]
    thrust = sum(drawn)
    cannons = 0
    if side.leader is not None:
        player = game.player(side.leader)
        cannons = player.cannons
        thrust += player.boosters if rules.thrust_boosters else 0
    total = thrust + side.fighters + cannons + side.strength
    firepower = side.strength or f"{side.fighters} fighters + {cannons} cannons"
    return total, f"thrust {thrust} + {firepower} = {total}"


def _compare(game: Round, attacker: Side, defender: Side, what: str) -> int:
    """Draw both sides' thrust and tell it; give 1 when the attacker wins, -1 when he loses."""
    game.battles += 1
    (one, said), (other, answered) = (
        score(game, side, game.battles, which) for which, side in enumerate((attacker, defender))
    )
    outcome = "a draw" if one == other else "won" if one > other else "lost"
    game.tell(BATTLES, f"{what}: {said} against {answered}: {outcome}.")
    return (one > other) - (one < other)


def attack_ship(game: Round, ship: Ship, target: Ship) -> None:
    """Attack a ship; its owner's units in range defend (rules 32, 35)."""
    what = f"S{ship.number} of {game.name(ship.owner)} attacks S{target.number}"
    _fight(game, ship, target, [target.hex], f"{what} of {game.name(target.owner)}")


def attack_base(game: Round, ship: Ship, target: Base) -> None:
    """Attack a base; its owner's units in range defend (rules 32, 35)."""
    what = f"S{ship.number} of {game.name(ship.owner)} attacks B{target.number}"
    hexes = game.state.hexes_of(target)
    _fight(game, ship, target, hexes, f"{what} of {game.name(target.owner)}")


def _fight(game: Round, ship: Ship, target: Ship | Base, hexes: Sequence[int], what: str) -> None:
    attacker = side_of(game, ship.owner, hexes, ship)
    attacked = target if isinstance(target, Ship) else None
    defender = side_of(game, target.owner, hexes, attacked)
    result = _compare(game, attacker, defender, what)
    if result > 0:
        _take(game, ship, defender, target)
        retreat(game, [s for s in defender.ships if s.number in game.state.ships], attacker)
    elif result < 0:
        _lose(game, attacker, ship)
        retreat(game, [s for s in attacker.ships if s.number in game.state.ships], defender)


def _take(game: Round, ship: Ship, defender: Side, target: Ship | Base) -> None:
    """Capture a base or destroy a ship, as the attacker wished (rule 35, G20).

    What he attacked comes first among its kind, but a mercenary before any ship (rule 21).
    """
    want = game.about(ship.owner, Want, ship.number)
    if want is not None:
        want.succeed()
    wants_ship = want is not None and not want.order.base
    if defender.bases and not (wants_ship and defender.ships):
        base = min(defender.bases, key=lambda base: (base is not target, _rank(base)))
        base.owner = ship.owner
        game.tell(BATTLES, f"{game.name(ship.owner)} captures B{base.number}.")
    elif defender.ships:
        destroy(
            game, min(defender.ships, key=lambda s: (not s.mercenary, s is not target, s.number))
        )


def _rank(base: Base) -> tuple[int, int]:
    return WORTH.index(base.kind), base.number


def _lose(game: Round, side: Side, ship: Ship) -> None:
    """Destroy one attacking ship, a mercenary if there is one (rules 21, 35)."""
    destroy(game, next((each for each in side.ships if each.mercenary), ship))


def destroy(game: Round, ship: Ship) -> None:
    """Destroy a ship; the mothership rebuilds it for the next round (rule 36)."""
    game.tell(BATTLES, f"S{ship.number} of {game.name(ship.owner)} is destroyed.")
    reintegrate(game, ship)


def reintegrate(game: Round, ship: Ship) -> None:
    """Put a lost ship back at its mothership; a mercenary, or a rebel's ship, is gone (rule 36)."""
    if ship.mercenary or game.player(ship.owner).captor is not None:
        game.state.ships.pop(ship.number, None)
        return
    ship.hex = game.state.mothership(ship.owner).number
    ship.ready = game.state.round + 1
    game.arrived.pop(ship.number, None)


def fall(game: Round, ship: Ship) -> None:
    """Lose a ship without boosters to the wormhole it is on, and its mercenaries (rule 13)."""
    place = game.state.hexes[ship.hex]
    if place.kind is not Kind.WORMHOLE or game.player(ship.owner).boosters:
        return
    for lost in (*game.state.with_ship(ship), ship):
        game.tell(BATTLES, f"The wormhole swallows S{lost.number}.")
        reintegrate(game, lost)


def retreat(game: Round, ships: Iterable[Ship], enemies: Side) -> None:
    """Let ships leave the range of all enemies in the battle (rule 35, G16)."""
    for ship in ships:
        if any(reaches(game.state, enemies, number) for number in [ship.hex]):
            _flee(game, ship, lambda place: reaches(game.state, enemies, place.number))


def reaches(state: State, side: Side, number: int) -> bool:
    """Say whether anything of a side has a hex in range."""
    here = state.hexes[number]
    live = [ship for ship in side.ships if ship.number in state.ships]
    return any(state.near(ship.hex, number) for ship in live) or any(
        (here.galaxy, here.at) in state.places_of(base) for base in side.bases
    )


def _flee(game: Round, ship: Ship, is_reached: Callable[[Hex], bool]) -> None:
    ship.hex = _refuge(game.state, ship, is_reached)
    game.arrived.pop(ship.number, None)
    game.tell(BATTLES, f"S{ship.number} retreats to H{ship.hex}.")


def _refuge(state: State, ship: Ship, is_reached: Callable[[Hex], bool]) -> int:
    """Give the nearest laid hex out of range; the mothership's when there is none (G16)."""
    here = state.hexes[ship.hex]
    home = state.mothership(ship.owner)
    free = [
        each
        for each in state.hexes.values()
        if each.galaxy == here.galaxy
        and each.kind not in (Kind.PIRATES, Kind.WORMHOLE)
        and not is_reached(each)
    ]
    if not free:
        return home.number
    to_home = home.at if home.galaxy == here.galaxy else here.at
    return min(
        free, key=lambda each: (apart(here.at, each.at), apart(each.at, to_home), each.number)
    ).number


def attack_mothership(game: Round, ship: Ship, owner: Seat) -> None:
    """Attack a mothership, which fights with its owner's whole fleet (rules 31, 38)."""
    state = game.state
    here = state.mothership(owner)
    attacker = side_of(game, ship.owner, [here.number], ship)
    defender = side_of(game, owner, [here.number])
    bases, friends = defender.bases, [s for s in defender.ships if s.owner != owner]
    defender.ships = [*state.fleet(owner), *friends]
    what = f"S{ship.number} of {game.name(ship.owner)} attacks the mothership of {game.name(owner)}"
    result = _compare(game, attacker, defender, what)
    if result > 0:
        near = [s for s in defender.ships if state.near(s.hex, here.number)]
        capture_mothership(game, ship, owner)
        retreat(game, near, attacker)
    elif result < 0:
        _lose(game, attacker, ship)
        left = [s for s in attacker.ships if s.number in state.ships]
        guard = Side(owner, [s for s in defender.ships if state.near(s.hex, here.number)], bases)
        retreat(game, left, guard)


def capture_mothership(game: Round, ship: Ship, owner: Seat) -> None:
    """Occupy a beaten mothership with the attacking ship (rule 38)."""
    game.bring(ship, game.state.mothership(owner).number)
    game.player(owner).captor = ship.owner
    game.tell(BATTLES, f"{game.name(ship.owner)} captures the mothership of {game.name(owner)}.")


def liberate(game: Round, seat: Seat) -> None:
    """Free a captured mothership where friends are and no ship of the captor is (rule 16)."""
    player = game.player(seat)
    if player.captor is None:
        return
    here = game.state.mothership(seat).number
    owners = {ship.owner for ship in game.state.ships.values() if ship.hex == here}
    if player.captor not in owners and any(game.state.friends(seat, o) for o in owners):
        player.captor = None
        game.tell(BATTLES, f"The mothership of {player.name} is free again.")


def prey(state: State, seat: Seat, pirates: Hex) -> Ship | Base | None:
    """Give what pirates attack of a player's in their range: bases first (rule 37)."""
    near = [base for base in state.bases_of(seat) if _is_close(state, base, pirates)]
    if near:
        return min(near, key=_rank)
    ships = [ship for ship in state.fleet(seat) if state.near(ship.hex, pirates.number)]
    return min(ships, key=lambda ship: (ship.mercenary, ship.number), default=None)


def _is_close(state: State, base: Base, pirates: Hex) -> bool:
    places = state.places_of(base)
    return any(seat == pirates.galaxy and apart(at, pirates.at) <= 1 for seat, at in places)


def meet_pirates(game: Round, seat: Seat, pirates: Hex) -> None:
    """Let pirates attack whoever is in their range (rules 23, 34, 37, G17)."""
    state = game.state
    target = prey(state, seat, pirates)
    if target is None or (seat, pirates.number) in game.met:
        return
    game.met.add((seat, pirates.number))
    fights = target if isinstance(target, Ship) else None
    hexes = [pirates.number, *([target.hex] if fights else state.hexes_of(cast("Base", target)))]
    defender = side_of(game, seat, hexes, fights)
    name = f"S{target.number}" if fights else f"B{target.number}"
    enemy = Side(None, strength=1 + pirates.cannons)
    what = f"Pirates at H{pirates.number} with {pirates.cannons} cannons meet {name}"
    result = _compare(game, defender, enemy, f"{what} of {game.name(seat)}")
    if result > 0:
        game.earn(seat, SALVAGE)
        _clear(game, pirates)
    elif result < 0:
        _plunder(game, defender, target)
        for each in defender.ships:
            if each.number in state.ships and state.near(each.hex, pirates.number):
                _flee(game, each, lambda place: state.near(place.number, pirates.number))


def _plunder(game: Round, defender: Side, target: Ship | Base) -> None:
    """Let pirates destroy what they attacked; a base that they leave costs a ship (G18)."""
    if isinstance(target, Ship):
        _lose(game, defender, target)
    elif game.state.rules.pirates_destroy:
        del game.state.bases[target.number]
        game.tell(BATTLES, f"Pirates destroy B{target.number}.")
    elif defender.ships:
        _lose(game, defender, defender.ships[0])


def _clear(game: Round, pirates: Hex) -> None:
    """Remove beaten pirates and explore their place anew (rule 37)."""
    bag = game.state.bags[pirates.galaxy]
    tile = bag.pop(0) if bag else None
    pirates.kind, pirates.cannons = (Kind.EMPTY, 0) if tile is None else (tile.kind, tile.cannons)
    pirates.resource = "" if tile is None else tile.resource
    pirates.occupied = tile is not None and tile.occupied
    game.tell(BATTLES, f"H{pirates.number} is explored again: {described(pirates)}.")
    for ship in [s for s in game.state.ships.values() if s.hex == pirates.number]:
        fall(game, ship)


def described(place: Hex) -> str:
    """Say what lies on a hex."""
    if place.kind is Kind.PLANET:
        return f"{'an occupied' if place.occupied else 'a'} planet of {place.resource}"
    if place.kind is Kind.PIRATES:
        return f"pirates with {place.cannons} cannons"
    return "empty space" if place.kind is Kind.EMPTY else f"a {place.kind.value}"


def attack_aliens(game: Round, ship: Ship, place: Hex) -> None:
    """Attack the aliens on a planet for their hoard (rule 19, G5)."""
    assert place.card is not None
    attacker = side_of(game, ship.owner, [place.number], ship)
    enemy = Side(None, strength=place.card.strength)
    what = f"S{ship.number} of {game.name(ship.owner)} attacks the aliens at H{place.number}"
    result = _compare(game, attacker, enemy, what)
    if result > 0:
        from_hoard = Goods(*(3 * (letter == place.resource) for letter in "FCGOU"))
        game.earn(ship.owner, from_hoard)
        place.occupied, place.card = False, None
        # The hoard comes on top of free mining, for a ship that was there before as well.
        if ship.hex == place.number:
            game.arrived[ship.number] = place.number
    elif result < 0:
        _lose(game, attacker, ship)
