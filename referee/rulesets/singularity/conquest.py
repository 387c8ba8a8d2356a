"""The owners of planets after combat, by the weapons in their spaces (rules 21, 22)."""

from collections import Counter

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.combat import goes_on
from referee.rulesets.singularity.state import Planet, State
from referee.rulesets.singularity.turn_state import PLANETS, Turn


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
