"""Owners of worlds, homeworlds, blockades and interdictions (RULES 6.3.6, 6.4.7 to 6.4.10)."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import distance
from referee.rulesets.star_empires.state import Empire, Prohibition, Ship, World
from referee.rulesets.star_empires.turn_state import Stage, Turn

BLOCKADE: Final = 2
"""The ratio of foreign guns to the defenders' DP that a blockade must exceed."""
INTERDICTION: Final = 3

_ENDLESS: Final = Fraction(10**12)
"""The ratio of friendly DP to foreign guns if there are no foreign guns."""


def determine_owners(turn: Turn) -> None:
    """Determine the owner of each world (R6.3.6, R6.4.7)."""
    for world in turn.state.worlds.values():
        holders = {ship.owner for ship in conquerors(turn.roster, world)}
        if len(holders) == 1:
            _change(turn, world, *holders)
        elif world.owner not in holders:
            _change(turn, world, None)


def conquerors(roster: Roster, world: World) -> Iterable[Ship]:
    """Return the ships in the world's sector that can take and hold it."""
    return [ship for ship in roster.at(world.at) if roster.state.conquers(ship)]


def _change(turn: Turn, world: World, owner: Seat | None) -> None:
    if world.owner == owner:
        return
    loser, seers = world.owner, turn.witnesses(world.at)
    if loser is not None:
        _hear_of_loss(turn.empire(loser), world, owner)
    world.owner, world.homeworld = owner, False
    turn.changed_hands[world.name] = loser
    if owner is None:
        assert loser is not None
        text = f"{turn.name(loser)} loses the world {world.name} at %s. It now has no owner."
    elif loser is None:
        text = f"{turn.name(owner)} takes the world {world.name} at %s."
    else:
        text = f"{turn.name(owner)} takes the world {world.name} at %s from {turn.name(loser)}."
    audience = seers | {each for each in (loser, owner) if each is not None}
    turn.tell(Stage.WORLDS, audience, text, world.at)


def _hear_of_loss(loser: Empire, world: World, owner: Seat | None) -> None:
    """Record the loss in the loser's knowledge, even if it has no ship there."""
    if world.homeworld:
        loser.homeworld = None
    if world.name in loser.worlds:
        known = loser.worlds[world.name]
        loser.worlds[world.name] = replace(known, owner=owner, homeworld=False)


def relocate_homeworlds(turn: Turn) -> None:
    """Make the safest world of every empire without a homeworld its homeworld (R6.4.8, R7)."""
    for seat in turn.by_name(turn.state.empires):
        empire = turn.empire(seat)
        if empire.homeworld is not None:
            continue
        candidates = turn.state.worlds_of(seat)
        if not candidates:
            if turn.before.empires[seat].homeworld is not None:
                text = "You have no world left, so you have no homeworld."
                turn.tell(Stage.WORLDS, {seat}, text)
            continue
        _move_home(turn, empire, candidates)


def _move_home(turn: Turn, empire: Empire, candidates: list[World]) -> None:
    best = max(_safety(turn.roster, empire, world) for world in candidates)
    safest = [world for world in candidates if _safety(turn.roster, empire, world) == best]
    home = turn.dice.at("homeworld", empire.seat).pick(sorted(safest, key=lambda w: w.name))
    home.homeworld = True
    empire.homeworld, empire.home = home.name, home.at
    turn.doubled.add(home.name)
    turn.tell(Stage.WORLDS, {empire.seat}, f"{home.name} at %s is your homeworld now.", home.at)
    others = turn.witnesses(home.at) - {empire.seat}
    text = f"{home.name} at %s is the homeworld of {empire.name} now."
    turn.tell(Stage.WORLDS, others, text, home.at)


def _safety(roster: Roster, empire: Empire, world: World) -> tuple[Fraction, int, int, int]:
    friendly, foreign = dp_and_guns(roster, world, empire.seat)
    ratio = Fraction(friendly, foreign) if foreign else _ENDLESS
    return ratio, friendly, world.production, -distance(world.at, empire.home)


def dp_and_guns(roster: Roster, world: World, seat: Seat) -> tuple[int, int]:
    """Return the DP of a seat's conquering ships at a world, and the guns of foreign ones."""
    ships = conquerors(roster, world)
    dp = sum(ship.dp for ship in ships if ship.owner == seat)
    return dp, sum(roster.state.guns(ship) for ship in ships if ship.owner != seat)


def establish_prohibitions(turn: Turn) -> None:
    """Blockade and interdict the worlds with too many foreign guns (R6.4.9, R6.4.10)."""
    for world in turn.state.worlds.values():
        was, world.prohibition = world.prohibition, prohibition_of(turn.roster, world)
        if world.prohibition is not was and world.owner is not None:
            now = {
                Prohibition.NONE: "no longer blockaded or interdicted",
                Prohibition.BLOCKADED: "blockaded",
                Prohibition.INTERDICTED: "interdicted",
            }[world.prohibition]
            text = f"The world {world.name} at %s is {now}."
            turn.tell(Stage.WORLDS, turn.witnesses(world.at), text, world.at)


def prohibition_of(roster: Roster, world: World) -> Prohibition:
    """Return the current effect of foreign guns on a world."""
    if world.owner is None or _has_starbase(roster, world):
        return Prohibition.NONE
    dp, guns = dp_and_guns(roster, world, world.owner)
    if guns > INTERDICTION * dp and not world.homeworld:
        return Prohibition.INTERDICTED
    return Prohibition.BLOCKADED if guns > BLOCKADE * dp else Prohibition.NONE


def _has_starbase(roster: Roster, world: World) -> bool:
    own = (ship for ship in roster.at(world.at) if ship.owner == world.owner)
    return any(roster.state.kind(ship).starbase for ship in own)
