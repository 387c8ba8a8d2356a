"""Battles, sieges and captures of colonies, and recon (rules 16 to 20)."""

from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rules.wording import counted
from referee.rulesets.fistful.orders import Ships, StarNumber, in_words
from referee.rulesets.fistful.state import Fleet, Star, State
from referee.rulesets.fistful.turn_state import BATTLES, COLONIES, RECON, Turn

LINE_UP: Final = "DCS"
"""The types of warships, from the strongest to the weakest (rule 18)."""
CHART: Final = {0: 3, 1: 4, 2: 5}
"""The highest roll that destroys the weaker ship, by the difference in types (rule 19)."""
MARKS: Final = "-+"
"""The marks after a roll that destroys a ship of the first, or of the second player, by name."""

Ship = str


def fight(turn: Turn) -> None:
    """Fight at every star where both players still have fleets (rule 17)."""
    for number in sorted(turn.state.stars):
        players = turn.by_name(turn.state.players)
        sides = {seat: turn.state.fleets_at(number, seat) for seat in players}
        if all(sides.values()) and any(f.ships.warships for s in sides.values() for f in s):
            _battle(turn, number, sides)
        elif all(sides.values()):
            # Two sides that have only transports do not fight (F7).
            turn.meet(number)
    if any(event.heading == BATTLES for event in turn.events):
        turn.tell(BATTLES, _key_to_rolls(turn))
    turn.drop_empty()


def _key_to_rolls(turn: Turn) -> str:
    """Return the key to the rolls of a battle; the first player's ship is written first."""
    first, second = map(turn.name, turn.by_name(turn.state.players))
    return (
        f"(C/S 6-: {first}'s cruiser against {second}'s scout, a roll of 6. With -, a ship of "
        f"{first} is lost; with +, a ship of {second}.)"
    )


def _battle(turn: Turn, number: StarNumber, sides: dict[Seat, list[Fleet]]) -> None:
    first, second = sides
    for seat, fleets in sides.items():
        ships = " and ".join(f"F{f.letter} ({f.ships})" for f in fleets)
        turn.tell(BATTLES, f"W{number}: {turn.name(seat)} has {ships}.", number)
    lines = {seat: line_up(fleets) for seat, fleets in sides.items()}
    dice, count = turn.dice.at(number), 0
    while lines[first] and lines[second]:
        count += 1
        _round(turn, (number, count), (first, second), lines, dice.at(count))
    for seat, fleets in sides.items():
        before = [fleet.ships for fleet in fleets]
        _keep(fleets, Counter(lines[seat]))
        if not lines[seat]:
            for fleet in fleets:
                fleet.ships = Ships()
        turn.lost += (
            replace(fleet, ships=had - fleet.ships)
            for fleet, had in zip(fleets, before, strict=True)
            if had != fleet.ships
        )
        left = sum((fleet.ships for fleet in fleets), Ships())
        turn.tell(BATTLES, f"W{number}: {turn.name(seat)} keeps {in_words(left)}.", number)


def line_up(fleets: list[Fleet]) -> list[Ship]:
    """Return the warships of a side, from the strongest to the weakest (rule 18, F10)."""
    ships = sum((fleet.ships for fleet in fleets), Ships())
    numbers = dict(ships.each())
    return [letter for letter in LINE_UP for _ in range(numbers.get(letter, 0))]


def _round(
    turn: Turn,
    place: tuple[StarNumber, int],
    seats: tuple[Seat, Seat],
    lines: dict[Seat, list[Ship]],
    dice: Dice,
) -> None:
    """Roll for every pair, then remove the destroyed ships (rule 19)."""
    sides = lines[seats[0]], lines[seats[1]]
    lost: tuple[set[int], set[int]] = set(), set()
    rolls = []
    for index in range(max(map(len, sides))):
        at = index % len(sides[0]), index % len(sides[1])
        ships = sides[0][at[0]], sides[1][at[1]]
        roll = 1 + dice.at(index).below(6)
        loser = loser_of(ships, roll)
        # Of several attackers of one ship, only the strongest, paired first, can be lost.
        counts = index < len(sides[1 - loser]) or len(sides[loser]) < len(sides[1 - loser])
        mark = MARKS[loser] if counts and at[loser] not in lost[loser] else ""
        if counts:
            lost[loser].add(at[loser])
        rolls.append(("/".join(ships), f"{roll}{mark}"))
    losses = _losses(turn, seats, sides, lost)
    for seat, side, gone in zip(seats, sides, lost, strict=True):
        lines[seat] = [ship for at_, ship in enumerate(side) if at_ not in gone]
    text = f"W{place[0]} round {place[1]}: {_in_groups(rolls)}. {losses}"
    turn.tell(BATTLES, text, place[0])


def _in_groups(rolls: list[tuple[str, str]]) -> str:
    """Return the rolls in text, with consecutive rolls of the same pair of types grouped."""
    groups = groupby(rolls, key=lambda roll: roll[0])
    return ", ".join(f"{pair} {' '.join(roll for _, roll in group)}" for pair, group in groups)


def _losses(
    turn: Turn,
    seats: tuple[Seat, Seat],
    sides: tuple[list[Ship], list[Ship]],
    lost: tuple[set[int], set[int]],
) -> str:
    losses = []
    for seat, side, gone in zip(seats, sides, lost, strict=True):
        counts = Counter(side[at] for at in gone)
        if counts:
            ships = Ships(0, counts["S"], counts["C"], counts["D"])
            losses.append(f"{turn.name(seat)} loses {in_words(ships)}.")
    return " ".join(losses) or "No ship is lost."


def loser_of(ships: tuple[Ship, Ship], roll: int) -> int:
    """Return the index of the ship that a roll destroys; of equal ships, 1 to 3 is 0 (F19)."""
    ranks = tuple(LINE_UP.index(ship) for ship in ships)
    weaker = 0 if ranks[0] >= ranks[1] else 1
    return weaker if roll <= CHART[abs(ranks[0] - ranks[1])] else 1 - weaker


def _keep(fleets: list[Fleet], left: Counter[Ship]) -> None:
    """Distribute the survivors to the fleets, in the order of their letters."""
    for fleet in sorted(fleets, key=lambda fleet: fleet.letter):
        counts = dict(fleet.ships.each())
        kept = {letter: min(counts.get(letter, 0), left[letter]) for letter in LINE_UP}
        left -= Counter(kept)
        fleet.ships = Ships(fleet.ships.transports, kept["S"], kept["C"], kept["D"])


def take_colonies(turn: Turn) -> None:
    """Capture and besiege the colonies under enemy fleets (rule 20)."""
    for star in turn.state.stars.values():
        if star.owner is None:
            continue
        enemy = turn.state.other(star.owner)
        if not _can_take(turn.state, star, enemy):
            star.besieged = False
        elif star.fortified and not star.besieged:
            star.besieged = True
            turn.tell(COLONIES, f"{turn.name(enemy)} besieges W{star.number}.", star.number)
        else:
            _capture(turn, star, enemy)


def _can_take(state: State, star: Star, enemy: Seat) -> bool:
    """Return whether only the enemy has fleets there, and warships among them (F6)."""
    fleets = state.fleets_at(star.number, enemy)
    assert star.owner is not None
    armed = any(fleet.ships.warships or state.rules.transports_capture for fleet in fleets)
    return armed and not state.fleets_at(star.number, star.owner)


def _capture(turn: Turn, star: Star, enemy: Seat) -> None:
    assert star.owner is not None
    text = f"{turn.name(enemy)} captures W{star.number} from {turn.name(star.owner)}."
    turn.tell(COLONIES, text, star.number)
    star.owner = enemy
    star.size = max(1, star.size - turn.state.rules.capture_size_loss)
    star.fortified = star.half_fortified = star.besieged = False
    turn.captured.add(star.number)


def look(turn: Turn) -> None:
    """Report the stars that surviving scouts see (rule 16, F13)."""
    looked = {seat: set[StarNumber]() for seat in turn.by_name(turn.state.players)}
    for (seat, letter), (given, stars) in turn.recons.items():
        fleet = turn.state.fleet(seat, letter)
        scouts = fleet.ships.scouts if fleet is not None else 0
        if scouts < len(stars):
            given.remark = f"only {counted(scouts, 'scout')} survived to report"
        looked[seat].update(stars[:scouts])
    for seat, numbers in looked.items():
        enemy = turn.state.other(seat)
        turn.state.players[seat].seen = {
            number: sum((f.ships for f in turn.state.fleets_at(number, enemy)), Ships())
            for number in sorted(numbers)
        }
        for number in sorted(numbers):
            turn.tell(RECON, seen(turn.state, seat, number), number, seats={seat})


def seen(state: State, seat: Seat, number: StarNumber) -> str:
    """Return a scout's view of a star: enemy fleets and the enemy's colony in full."""
    star, enemy = state.stars[number], state.other(seat)
    parts = [f"F{f.letter} ({f.ships})" for f in state.fleets_at(number, enemy)]
    if star.owner == enemy:
        parts.append(f"a colony of size {star.size}{', fortified' if star.fortified else ''}")
    if not parts:
        return f"W{number}: nothing of {state.players[enemy].name}."
    return f"W{number}: {state.players[enemy].name} has {' and '.join(parts)}."
