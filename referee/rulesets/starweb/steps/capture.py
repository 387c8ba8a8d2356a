"""Capture after the fighting: worlds, loose keys, and fleets that Pirates take."""

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.ships import defenders_of
from referee.rulesets.starweb.state import Character, Fleet, World
from referee.rulesets.starweb.turn_state import Turn


def capture(turn: Turn) -> None:
    """Capture worlds and loose keys for the only hostile player there (s8, s24)."""
    for number in sorted(turn.state.worlds):
        world = turn.state.worlds[number]
        fleets = turn.fleets_at(number)
        if not fleets and world.owner is not None and world.population and not world.converts:
            continue
        hostile = _hostile(world, fleets)
        _take_world(turn, world, hostile, fleets)
        for fleet in fleets:
            if not fleet.ships:
                turn.own_fleet(fleet, _finder(fleet, hostile, fleets))


def _hostile(world: World, fleets: list[Fleet]) -> set[Seat]:
    """Return the players with ships there not at peace; home fleets never are (s24)."""
    seats = {
        fleet.owner
        for fleet in fleets
        if fleet.ships and fleet.owner is not None and not fleet.at_peace
    }
    if world.owner is not None and defenders_of(world):
        seats.add(world.owner)
    return seats


def _take_world(turn: Turn, world: World, hostile: set[Seat], fleets: list[Fleet]) -> None:
    if not world.population:
        # A world without people is neutral (s8).
        turn.own_world(world, None)
    elif world.converts == world.population:
        # If it was given away, it comes back next turn (s4F, settled case 20).
        turn.own_world(world, world.apostle)
    elif len(hostile) == 1:
        (captor,) = hostile
        if captor != world.owner and not _is_held(turn, world, captor, fleets):
            turn.own_world(world, captor)


def _is_held(turn: Turn, world: World, captor: Seat, fleets: list[Fleet]) -> bool:
    """Return whether something keeps the only hostile player from the world (s8, s17)."""
    if world.robots and not turn.plays(captor, Character.BERSERKER):
        return True
    if turn.plays(captor, Character.PIRATE) and _prey(turn, captor, fleets):
        # A Pirate who takes a fleet was not the only player, even if it was at peace (s8).
        return True
    if world.owner is None:
        return defenders_of(world) > 0
    if turn.allied(captor, world.owner):
        return True
    return any(
        fleet.ships and (fleet.owner == world.owner or turn.allied(fleet.owner, world.owner))
        for fleet in fleets
    )


def _finder(fleet: Fleet, hostile: set[Seat], fleets: list[Fleet]) -> Seat | None:
    """Return the owner of a key without ships: the only hostile player, or None (s24).

    A key that lost its ships this turn is captured like any other (settled case 34).
    """
    if len(hostile) == 1:
        (seat,) = hostile
        return seat
    peaceful = {each.owner for each in fleets if each.ships and each.owner is not None}
    if not hostile and peaceful == {fleet.owner}:
        return fleet.owner
    return None


def capture_by_pirates(turn: Turn) -> None:
    """Capture fleets for Pirates with more than three times all other ships there (s4C)."""
    pirates = {
        seat for seat, player in turn.state.players.items() if player.character is Character.PIRATE
    }
    places = {fleet.world for fleet in turn.state.fleets.values() if fleet.owner in pirates}
    for number in sorted(places):
        _board(turn, turn.fleets_at(number), pirates)


def _board(turn: Turn, fleets: list[Fleet], pirates: set[Seat]) -> None:
    for pirate in sorted(pirates):
        for fleet in _prey(turn, pirate, fleets):
            turn.own_fleet(fleet, pirate)


def _prey(turn: Turn, pirate: Seat, fleets: list[Fleet]) -> list[Fleet]:
    """Return the fleets that a Pirate takes at a world, none with too few ships (s4C)."""
    own = [fleet for fleet in fleets if fleet.owner == pirate]
    hostile = sum(fleet.ships for fleet in own if not fleet.at_peace)
    # All other ships count, also those of allies and those at peace (settled case 12).
    others = sum(fleet.ships for fleet in fleets) - sum(fleet.ships for fleet in own)
    if hostile <= 3 * others:
        return []
    # Fleets at peace are prey too, and ships lost to fire do not count (settled case 32).
    return [fleet for fleet in fleets if fleet.ships and _is_prey(turn, pirate, fleet.owner)]


def _is_prey(turn: Turn, pirate: Seat, owner: Seat | None) -> bool:
    return owner not in (None, pirate) and not turn.allied(pirate, owner)
