"""Battles: range, thrust, firepower, and what the winner takes (rules 29 to 38)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.wording import counted
from referee.rulesets.starfarers.losses import destroy, retreat
from referee.rulesets.starfarers.orders import BaseKind, Want
from referee.rulesets.starfarers.state import Base, Ship, State
from referee.rulesets.starfarers.turn_state import BATTLES, MOTHERSHIP, Attack, Capture, Round

WORTH: Final = (BaseKind.SPACEPORT, BaseKind.COLONY, BaseKind.TRADE_PORT)
"""The order in which bases are taken (G20)."""


@dataclass(slots=True)
class Side:
    """One side of a battle: its name, and the ships and bases that fight for it."""

    called: str
    leader: Seat | None = None
    """The player whose prototype counts, or None for pirates and aliens."""
    ships: list[Ship] = field(default_factory=list)
    bases: list[Base] = field(default_factory=list)
    aside: list[Ship] = field(default_factory=list)
    """The ships in range that only watch (``S5N``). They retreat with their side."""
    firepower: str = ""
    """The firepower of pirates and aliens in words."""
    strength: int = 0
    """The fighters and cannons of pirates and aliens."""

    @property
    def fighters(self) -> int:
        """Return the number of ships and bases."""
        return len(self.ships) + len(self.bases)

    @property
    def beaten(self) -> list[Ship]:
        """Return the ships that retreat if the side loses: all in range (rule 35)."""
        return [*self.ships, *self.aside]


def side_of(
    game: Round,
    owner: Seat,
    against: Seat | None,
    hexes: Sequence[int],
    fights: Ship | None = None,
) -> Side:
    """Return a player's side around the hexes, with the allies who fight for it (rules 32, 40).

    An ally of both sides fights for neither. Ships that support nobody are left out, except
    for *fights*, the ship that attacks or is attacked.
    """
    state = game.state
    allies = sorted(state.players[owner].allies)
    seats = [owner, *(s for s in allies if against is None or not state.friends(s, against))]
    ships, bases = _in_range(state, seats, hexes)
    aside = [ship for ship in ships if ship is not fights and ship.number in state.standing_back]
    ships = [ship for ship in ships if ship not in aside]
    if fights is not None and fights not in ships:
        ships.append(fights)
    there = {owner, *(ship.owner for ship in ships), *(base.owner for base in bases)}
    leader = _lead(state, [seat for seat in seats if seat in there])
    return Side(game.name(owner), leader, ships, bases, aside)


def _in_range(
    state: State, seats: Sequence[Seat], hexes: Sequence[int]
) -> tuple[list[Ship], list[Base]]:
    """Return the ships and bases of *seats* that reach one of the hexes (rules 29, 30).

    A ship that is being rebuilt does not fight (rule 36).
    """
    ships = [
        ship
        for ship in state.ships.values()
        if ship.owner in seats
        and state.is_ready(ship)
        and any(state.near(ship.hex, number) for number in hexes)
    ]
    places = {(state.hexes[number].galaxy, state.hexes[number].at) for number in hexes}
    bases = [
        base
        for base in state.bases.values()
        if base.owner in seats and state.places_of(base) & places
    ]
    return ships, bases


def _lead(state: State, seats: Sequence[Seat]) -> Seat:
    """Return the leader whose prototype counts: an ally who has a mothership (rule 40)."""
    keepers = [seat for seat in seats if state.players[seat].captor is None]
    return keepers[0] if keepers and len(seats) > 1 else seats[0]


def compare(game: Round, attacker: Side, defender: Side, what: str, place: int) -> int:
    """Draw the thrust of both sides, report it, and return 1 if the attacker wins, -1 if not.

    A draw returns 0.
    """
    game.battles += 1
    (one, said), (other, answered) = (
        _score(game, side, which) for which, side in enumerate((attacker, defender))
    )
    winner = attacker if one > other else defender
    outcome = "a draw" if one == other else f"{winner.called} {_wins(winner)}"
    game.tell(BATTLES, f"{what}: {said} against {answered}: {outcome}.", place)
    return (one > other) - (one < other)


def _wins(side: Side) -> str:
    return "win" if side.leader is None else "wins"


def _score(game: Round, side: Side, which: int) -> tuple[int, str]:
    """Return the score of a side, and the calculation in words.

    Thrust is drawn for pirates as for players (rules 33, 34, G3, G19).
    """
    rules = game.state.rules
    drawn = game.dice.at("thrust", game.battles, which).shuffled(rules.thrust)[:2]
    thrust, parts = sum(drawn), [str(number) for number in drawn]
    firepower, power = side.firepower, side.strength
    if side.leader is not None:
        player = game.player(side.leader)
        fighters, cannons = counted(side.fighters, "fighter"), counted(player.cannons, "cannon")
        firepower, power = f"{fighters} + {cannons}", side.fighters + player.cannons
        if rules.thrust_boosters:
            thrust += player.boosters
            parts.append(counted(player.boosters, "booster"))
    total = thrust + power
    return total, f"thrust {thrust} ({', '.join(parts)}) + {firepower} = {total}"


def attack_ship(game: Round, ship: Ship, target: Ship) -> None:
    """Attack a ship. Its owner's units in range defend it (rules 32, 35)."""
    _fight(game, ship, target, [target.hex], f"S{target.number}")


def attack_base(game: Round, ship: Ship, target: Base) -> None:
    """Attack a base. Its owner's units in range defend it (rules 32, 35)."""
    _fight(game, ship, target, game.state.hexes_of(target), f"B{target.number}")


def _fight(game: Round, ship: Ship, target: Ship | Base, hexes: Sequence[int], name: str) -> None:
    attacker = side_of(game, ship.owner, target.owner, hexes, ship)
    attacked = target if isinstance(target, Ship) else None
    defender = side_of(game, target.owner, ship.owner, hexes, attacked)
    what = f"S{ship.number} of {attacker.called} attacks {name} of {defender.called} at H{hexes[0]}"
    game.attacks.append(Attack(target.owner, name, hexes[0], attacker.called))
    result = compare(game, attacker, defender, what, hexes[0])
    if result > 0:
        _take(game, ship, defender, target)
        retreat(game, defender.beaten, reach_of(game.state, attacker))
    elif result < 0:
        lose(game, attacker, ship, defender)
        retreat(game, attacker.beaten, reach_of(game.state, defender))


def _take(game: Round, ship: Ship, defender: Side, target: Ship | Base) -> None:
    """Capture a base or destroy a ship, as the attacker ordered (rule 35, G20).

    The target comes first among its kind, but a mercenary before any ship (rule 21).
    """
    want = game.about(ship.owner, Want, ship.number)
    if want is not None:
        want.succeed()
    wants_ship = want is not None and not want.order.base
    if defender.bases and not (wants_ship and defender.ships):
        base = min(defender.bases, key=lambda base: (base is not target, rank(base)))
        game.captures.append(Capture(base.number, base.owner, ship.owner))
        base.owner = ship.owner
        game.tell(BATTLES, f"{game.name(ship.owner)} captures B{base.number}.", base.hex)
    elif defender.ships:
        first = min(defender.ships, key=lambda s: (not s.mercenary, s is not target, s.number))
        destroy(game, first, game.name(ship.owner))


def rank(base: Base) -> tuple[int, int]:
    """Return a sort key: the base with the lowest rank is taken first (G20)."""
    return WORTH.index(base.kind), base.number


def lose(game: Round, side: Side, ship: Ship, to: Side) -> None:
    """Destroy one ship of the beaten side, a mercenary if there is one (rules 21, 35)."""
    destroy(game, next((each for each in side.ships if each.mercenary), ship), to.called)


def reach_of(state: State, side: Side) -> Callable[[int], bool]:
    """Return a function that tests whether the rest of a side has a hex in range."""

    def reaches(number: int) -> bool:
        here = state.hexes[number]
        live = [ship for ship in side.ships if ship.number in state.ships]
        return any(state.near(ship.hex, number) for ship in live) or any(
            (here.galaxy, here.at) in state.places_of(base) for base in side.bases
        )

    return reaches


def attack_mothership(game: Round, ship: Ship, owner: Seat) -> None:
    """Attack a mothership, which fights with the whole fleet of its owner (rules 31, 38)."""
    state = game.state
    here = state.mothership(owner).number
    attacker = side_of(game, ship.owner, owner, [here], ship)
    defender = side_of(game, owner, ship.owner, [here])
    others = [each for each in defender.ships if each.owner != owner or each.mercenary]
    near = [each for each in defender.ships if state.near(each.hex, here)]
    fleet = [s for s in state.fleet(owner) if not s.mercenary and state.is_ready(s)]
    defender.ships = [*fleet, *others]
    what = f"S{ship.number} of {attacker.called} attacks the mothership of {defender.called}"
    game.attacks.append(Attack(owner, MOTHERSHIP, here, attacker.called))
    result = compare(game, attacker, defender, what, here)
    if result > 0:
        _capture_mothership(game, ship, owner)
        retreat(game, [*near, *defender.aside], reach_of(state, attacker))
    elif result < 0:
        lose(game, attacker, ship, defender)
        guard = Side(defender.called, owner, near, defender.bases)
        retreat(game, attacker.beaten, reach_of(state, guard))


def _capture_mothership(game: Round, ship: Ship, owner: Seat) -> None:
    """Capture a beaten mothership with the attacking ship (rule 38)."""
    here = game.state.mothership(owner).number
    game.bring(ship, here)
    game.player(owner).captor = ship.owner
    what = f"{game.name(ship.owner)} captures the mothership of {game.name(owner)}."
    game.tell(BATTLES, what, here)
