"""Section C, Combat: rounds of shots, and then the owners of planets (rules 16 to 22)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rules.wording import counted, listed
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.doctrine import Doctrine
from referee.rulesets.singularity.orders import ShipNumber
from referee.rulesets.singularity.state import Planet, Ship, State
from referee.rulesets.singularity.turn_state import COMBAT, PLANETS, Struck, Turn
from referee.rulesets.singularity.units import ARMOR, UNITS, Unit

MOST_ROUNDS: Final = 50
"""Combat ends after this round, even if ships could still fire (T14)."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot: shooter, target, chance and the number drawn (rule 16)."""

    shooter: ShipNumber
    target: ShipNumber
    with_it: int
    """TE, the weapons of all the target's enemies."""
    against: int
    """AE, the weapons of all the attacker's enemies."""
    drawn: int
    """The number drawn, from 1 to AE+TE."""

    @property
    def hits(self) -> bool:
        """Return whether the shot hits: TE of AE+TE numbers do."""
        return self.drawn <= self.with_it


def fight(turn: Turn) -> None:
    """Fight rounds until no combat is possible (rule 21)."""
    doctrine = Doctrine(turn)
    while goes_on(turn.state):
        _fight_round(turn, doctrine)


def fight_round(turn: Turn) -> None:
    """Fight one round in every space where combat is possible (rules 16 to 20)."""
    _fight_round(turn, Doctrine(turn))


def _fight_round(turn: Turn, doctrine: Doctrine) -> None:
    turn.state.round += 1
    for at in battlefields(turn.state):
        _fight_at(turn, at, doctrine)


def goes_on(state: State) -> bool:
    """Return whether another round follows: combat is possible, and rounds are left (T14)."""
    return bool(battlefields(state)) and state.round < MOST_ROUNDS


def battlefields(state: State) -> list[Space]:
    """Return the spaces where a ship can fire at another, sorted."""
    return sorted(
        {
            ship.at
            for ship in state.ships.values()
            if ship.shots and not ship.dark and targets_of(state, ship)
        }
    )


def targets_of(state: State, ship: Ship) -> list[Ship]:
    """Return the possible targets of a ship: ships there that are not allied and not dark."""
    return [
        other
        for other in state.ships_at(ship.at)
        if not other.dark and not state.allied(ship.owner, other.owner)
    ]


def in_combat(state: State) -> frozenset[Seat]:
    """Return the players whose ships can fire at another."""
    return frozenset(
        ship.owner
        for ship in state.ships.values()
        if ship.shots and not ship.dark and targets_of(state, ship)
    )


def _fight_at(turn: Turn, at: Space, doctrine: Doctrine) -> None:
    """Fire all shots of a space with the strengths before the round, then apply the hits."""
    state = turn.state
    place = turn.space(at)
    dice = turn.dice.at("combat", place, state.round)
    present = [ship for ship in state.ships_at(at) if not ship.dark]
    weapons: Counter[Seat] = Counter()
    for ship in present:
        weapons[ship.owner] += ship.weapons
    seers = {seat for seat in state.players if state.sees(seat, at)}
    shots = [shot for ship in present for shot in _fire(state, ship, doctrine, weapons, dice)]
    turn.tell(COMBAT, f"{place} round {state.round}: {_shots_text(turn, shots)}.", seers, at)
    for number, hits in sorted(Counter(shot.target for shot in shots if shot.hits).items()):
        ship = state.ships[number]
        _report_loss(turn, ship, _remove_units(ship, hits, dice), seers)
        firing = (shot.shooter for shot in shots if shot.hits and shot.target == number)
        by = frozenset(state.ships[shooter].owner for shooter in firing)
        turn.struck.append(Struck(ship.copy(), by))
    for ship in [ship for ship in state.ships_at(at) if ship.lost]:
        del state.ships[ship.number]


def _fire(
    state: State, ship: Ship, doctrine: Doctrine, weapons: Counter[Seat], dice: Dice
) -> list[Shot]:
    """Fire all shots of a ship, each at one of its best targets (rule 17)."""
    targets, shots = targets_of(state, ship), []
    for number in range(ship.shots if targets else 0):
        best = doctrine.best(ship, targets, number)
        target = dice.at("target", ship.number, number).pick(best) if len(best) > 1 else best[0]
        with_it = _against(state, target.owner, weapons)
        against = _against(state, ship.owner, weapons)
        drawn = 1 + dice.at("hit", ship.number, number).below(with_it + against)
        shots.append(Shot(ship.number, target.number, with_it, against, drawn))
    return shots


def _against(state: State, seat: Seat, weapons: Counter[Seat]) -> int:
    """Return the number of weapons of all enemies of a player there."""
    return sum(n for other, n in weapons.items() if not state.allied(other, seat))


def _remove_units(ship: Ship, hits: int, dice: Dice) -> list[Unit]:
    """Remove hit units and return them: armor first, then any at random (rule 18)."""
    lost: list[Unit] = []
    for number in range(hits):
        left = [unit for unit in UNITS for _ in range(ship.units.get(unit, 0))]
        if not left:
            break
        armor = ship.units.get(ARMOR, 0)
        unit = ARMOR if armor else dice.at("unit", ship.number, number).pick(left)
        ship.units[unit] -= 1
        lost.append(unit)
    return lost


def _report_loss(turn: Turn, ship: Ship, lost: Sequence[Unit], seers: set[Seat]) -> None:
    """Report the lost units to the owner, and the visible effect to others who see the space."""
    place, owner = turn.space(ship.at), turn.name(ship.owner)
    fate = "is destroyed" if ship.lost else "vanishes" if ship.dark else ""
    own = {"vanishes": ", and goes dark", "is destroyed": ", and is destroyed"}.get(fate, "")
    units = listed(_units_text(unit, number) for unit, number in Counter(lost).items())
    turn.tell(COMBAT, f"{place}: S{ship.number} loses {units}{own}.", {ship.owner}, ship.at)
    seen = fate or f"is hit{HOW_OFTEN.get(len(lost), f' {len(lost)} times')}"
    turn.tell(COMBAT, f"{place}: {owner}'s S{ship.number} {seen}.", seers - {ship.owner}, ship.at)


def _units_text(unit: Unit, number: int) -> str:
    return UNITS[unit] if number == 1 else f"{number} {UNITS[unit]} units"


HOW_OFTEN: Final = {1: "", 2: " twice"}


def _shots_text(turn: Turn, shots: Sequence[Shot]) -> str:
    """Return the shots in words: shooter, target, AE and TE, hits and the numbers drawn."""
    ships, pairs = turn.state.ships, dict[tuple[Seat, Seat], list[Shot]]()
    for shot in shots:
        pair = ships[shot.shooter].owner, ships[shot.target].owner
        pairs.setdefault(pair, []).append(shot)
    return "; ".join(
        f"{turn.name(one)} fires {counted(len(fired), 'shot')} at {turn.name(other)} "
        f"with AE {fired[0].against} TE {fired[0].with_it}, "
        f"{counted(sum(shot.hits for shot in fired), 'hit')} "
        f"(dice {' '.join(str(shot.drawn) for shot in fired)} "
        f"of {fired[0].against + fired[0].with_it})"
        for (one, other), fired in sorted(
            pairs.items(), key=lambda each: tuple(map(turn.name, each[0]))
        )
    )


def conclude(turn: Turn) -> None:
    """Determine the owners of planets if no further round of combat follows (rule 21)."""
    if not goes_on(turn.state):
        take_planets(turn)


def take_planets(turn: Turn) -> None:
    """Determine the owner of each planet by the weapons there (rule 22)."""
    for planet in turn.state.planets.values():
        owner = owner_of(turn.state, planet)
        if owner != planet.owner:
            _hand_over(turn, planet, owner)


def owner_of(state: State, planet: Planet) -> Seat | None:
    """Return the owner of a planet by the weapons in its space, or None (rule 22, T16)."""
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
    name = f"W{planet.column}"
    if owner is not None:
        loser = "" if was is None else f" from {turn.name(was)}"
        text = f"{turn.name(owner)} takes {name}{loser}."
    else:
        loser = "nobody" if was is None else turn.name(was)
        text = f"{loser} loses {name}, which is free now."
    if turn.state.rules.ownership_public:
        turn.tell_all(PLANETS, text)
    else:
        seers = {seat for seat in turn.state.players if turn.state.sees(seat, planet.at)}
        turn.tell(PLANETS, text, seers | {seat for seat in (was, owner) if seat is not None})
