"""Section C, Combat: rounds of shots until none can be fired, then the planets (rules 16 to 22)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.orders import (
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    ShipNumber,
)
from referee.rulesets.singularity.state import Planet, Ship, State
from referee.rulesets.singularity.units import ARMOR, UNITS
from referee.rulesets.singularity.working import COMBAT, PLANETS, Given, Turn

MOST_ROUNDS: Final = 50
"""After so many rounds whatever is left stays (T14)."""

DOCTRINES: Final = (FirstPlayers, FirstTypes, FireArmed, FireWeakest, FireAtShip)


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot: who fires at whom, and whether it hits."""

    shooter: ShipNumber
    target: ShipNumber
    hits: bool


def fight(turn: Turn) -> None:
    """Fight rounds until no combat is possible any more (rule 21)."""
    doctrine = _Doctrine(turn)
    while goes_on(turn.state):
        _fight_round(turn, doctrine)


def fight_round(turn: Turn) -> None:
    """Fight one round in every space where there can be combat (rules 16 to 20)."""
    _fight_round(turn, _Doctrine(turn))


def _fight_round(turn: Turn, doctrine: "_Doctrine") -> None:
    turn.state.round += 1
    for at in battlefields(turn.state):
        _fight_at(turn, at, doctrine)


def goes_on(state: State) -> bool:
    """Say whether another round follows: combat is possible and has not gone on too long (T14)."""
    return bool(battlefields(state)) and state.round < MOST_ROUNDS


def battlefields(state: State) -> list[Space]:
    """Give the spaces where somebody can fire at somebody, in their sequence."""
    return sorted(
        {
            ship.at
            for ship in state.ships.values()
            if ship.shots and not ship.dark and targets_of(state, ship)
        }
    )


def targets_of(state: State, ship: Ship) -> list[Ship]:
    """Give the ships that one can fire at: those there of no ally that are not dark."""
    return [
        other
        for other in state.ships_at(ship.at)
        if not other.dark and not state.allied(ship.owner, other.owner)
    ]


def in_combat(state: State) -> frozenset[Seat]:
    """Give whose ships are where there can be combat."""
    places = set(battlefields(state))
    return frozenset(s.owner for s in state.ships.values() if s.at in places and not s.dark)


class _Doctrine:
    """At whom everybody's ships fire first (T15)."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._weakest = dict.fromkeys(turn.state.players, turn.state.rules.weakest_first)
        self._players: dict[Seat, tuple[int, ...]] = {}
        self._types: dict[Seat, tuple[str, ...]] = {}
        self._ships: dict[ShipNumber, ShipNumber] = {}
        for given in turn.given(*DOCTRINES):
            self._note(given)

    def _note(self, given: Given[Any]) -> None:
        match given.order:
            case FirstPlayers(players):
                self._players[given.seat] = players
            case FirstTypes(types):
                self._types[given.seat] = types
            case FireArmed():
                self._weakest[given.seat] = False
            case FireWeakest():
                self._weakest[given.seat] = True
            case FireAtShip(_, at):
                ship = self._turn.ship(given)
                if ship is not None:
                    self._ships[ship.number] = at

    def best(self, ship: Ship, targets: Sequence[Ship]) -> list[Ship]:
        """Give the targets among which a ship spreads its shots."""
        wanted = [each for each in targets if each.number == self._ships.get(ship.number)]
        if wanted:
            return wanted
        ranks = {target.number: self._rank(ship.owner, target) for target in targets}
        first = min(ranks.values())
        return [target for target in targets if ranks[target.number] == first]

    def _rank(self, seat: Seat, target: Ship) -> tuple[int, int, int]:
        players, types = self._players.get(seat, ()), self._types.get(seat, ())
        armed = sum(target.units.values()) if self._weakest[seat] else int(not target.weapons)
        return _place(players, target.owner), _place(types, target.kind), armed


def _place(wanted: Sequence[Any], what: Any) -> int:
    return wanted.index(what) if what in wanted else len(wanted)


def _fight_at(turn: Turn, at: Space, doctrine: _Doctrine) -> None:
    """Fire all shots of a space with the strengths of its beginning, then let them hit."""
    state = turn.state
    place = turn.space(at)
    dice = turn.dice.at("combat", place, state.round)
    present = [ship for ship in state.ships_at(at) if not ship.dark]
    weapons: Counter[Seat] = Counter()
    for ship in present:
        weapons[ship.owner] += ship.weapons
    seers = {seat for seat in state.players if state.sees(seat, at)}
    shots: list[Shot] = []
    for ship in present:
        shots += _fire(turn, ship, doctrine, weapons, dice)
    turn.tell(COMBAT, f"{place} round {state.round}: {_told(turn, shots, weapons)}.", seers)
    for number, hits in sorted(Counter(shot.target for shot in shots if shot.hits).items()):
        _suffer(turn, state.ships[number], hits, dice, seers)
    for ship in [ship for ship in state.ships_at(at) if ship.lost]:
        del state.ships[ship.number]


def _fire(
    turn: Turn, ship: Ship, doctrine: _Doctrine, weapons: Counter[Seat], dice: Dice
) -> list[Shot]:
    """Fire all shots of a ship, spread over the targets that it likes best (rule 17)."""
    targets = targets_of(turn.state, ship)
    if not targets or not ship.shots:
        return []
    best = doctrine.best(ship, targets)
    start = dice.at("target", ship.number).below(len(best))
    shots = []
    for number in range(ship.shots):
        target = best[(start + number) % len(best)]
        enemies, allies = odds(turn.state, ship, target, weapons)
        roll = 1 + dice.at("hit", ship.number, number).below(enemies + allies)
        shots.append(Shot(ship.number, target.number, hits=roll <= enemies))
    return shots


def odds(state: State, attacker: Ship, target: Ship, weapons: Counter[Seat]) -> tuple[int, int]:
    """Give the weapons of all the target's enemies, and of all the attacker's (rule 16)."""
    return _against(state, target.owner, weapons), _against(state, attacker.owner, weapons)


def _against(state: State, seat: Seat, weapons: Counter[Seat]) -> int:
    """Give the weapons of all the enemies that a player has there."""
    return sum(n for other, n in weapons.items() if not state.allied(other, seat))


def _suffer(turn: Turn, ship: Ship, hits: int, dice: Dice, seers: set[Seat]) -> None:
    """Take units from a ship: armor first, then any that are left, at random (rule 18)."""
    lost = []
    for number in range(hits):
        left = [unit for unit in UNITS for _ in range(ship.units.get(unit, 0))]
        if not left:
            break
        armor = ship.units.get(ARMOR, 0)
        unit = ARMOR if armor else dice.at("unit", ship.number, number).pick(left)
        ship.units[unit] -= 1
        lost.append(UNITS[unit])
    if not lost:
        return
    place = turn.space(ship.at)
    turn.tell(COMBAT, f"{place}: S{ship.number} loses {', '.join(lost)}.", {ship.owner})
    others = seers - {ship.owner}
    fate = "is destroyed" if ship.lost else "vanishes" if ship.dark else ""
    if fate:
        text = f"{place}: {turn.name(ship.owner)}'s S{ship.number} {fate}."
        turn.tell(COMBAT, text, others | {ship.owner})


def _told(turn: Turn, shots: Sequence[Shot], weapons: Counter[Seat]) -> str:
    """Say who fired how often at whom, with what chance TE of AE+TE, and what hit."""
    pairs: Counter[tuple[Seat, Seat]] = Counter()
    hits: Counter[tuple[Seat, Seat]] = Counter()
    owners = {ship.number: ship.owner for ship in turn.before.ships.values()}
    owners |= {ship.number: ship.owner for ship in turn.state.ships.values()}
    for shot in shots:
        pair = owners[shot.shooter], owners[shot.target]
        pairs[pair] += 1
        hits[pair] += shot.hits
    chances = {pair: [_against(turn.state, seat, weapons) for seat in pair] for pair in pairs}
    return "; ".join(
        f"{turn.name(one)} fires {pairs[one, other]} at {turn.name(other)}"
        f" with AE {back} TE {against}, {hits[one, other]} hit"
        for (one, other), (back, against) in sorted(chances.items())
    )


def conclude(turn: Turn) -> None:
    """Settle whose the planets are if no further round of combat follows (rule 21)."""
    if not goes_on(turn.state):
        take_planets(turn)


def take_planets(turn: Turn) -> None:
    """Settle whose the planets are by the weapons there (rule 22)."""
    for planet in turn.state.planets.values():
        owner = owner_of(turn.state, planet)
        if owner != planet.owner:
            _hand_over(turn, planet, owner)


def owner_of(state: State, planet: Planet) -> Seat | None:
    """Say whose a planet is by the weapons in its space (rule 22, T16)."""
    weapons: Counter[Seat] = Counter()
    for ship in state.ships_at(planet.at):
        if not ship.dark and ship.weapons:
            weapons[ship.owner] += ship.weapons
    if not weapons:
        return planet.owner
    highest = [seat for seat, number in weapons.items() if number == max(weapons.values())]
    if planet.owner is not None and any(state.allied(planet.owner, seat) for seat in highest):
        return planet.owner
    return highest[0] if len(highest) == 1 else None


def _hand_over(turn: Turn, planet: Planet, owner: Seat | None) -> None:
    was, planet.owner = planet.owner, owner
    who = "nobody" if owner is None else turn.name(owner)
    whose = "nobody" if was is None else turn.name(was)
    text = f"W{planet.column} goes from {whose} to {who}."
    if turn.state.rules.ownership_public:
        turn.tell_all(PLANETS, text)
    else:
        seers = {seat for seat in turn.state.players if turn.state.sees(seat, planet.at)}
        turn.tell(PLANETS, text, seers | {seat for seat in (was, owner) if seat is not None})
