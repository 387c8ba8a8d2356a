"""The fate of beaten ships: rebuilt, swallowed or driven away (rules 13, 35, 36)."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from referee.rulesets.starfarers.state import Hex, Kind, Ship, State, apart, ring_place
from referee.rulesets.starfarers.turn_state import BATTLES, Loss, Retreat, Round


def destroy(game: Round, ship: Ship, by: str) -> None:
    """Destroy a ship in battle. The mothership rebuilds it for the next round (rule 36)."""
    game.tell(BATTLES, f"S{ship.number} of {game.name(ship.owner)} is destroyed.", ship.hex)
    game.lost.append(Loss(replace(ship), f"in battle with {by}", by))
    reintegrate(game, ship)


def reintegrate(game: Round, ship: Ship) -> None:
    """Put a lost ship back at its mothership (rules 7, 36).

    A mercenary is removed, and so is a ship whose owner has lost the mothership.
    """
    if ship.mercenary or game.player(ship.owner).captor is not None:
        game.state.ships.pop(ship.number, None)
        return
    ship.hex = game.state.mothership(ship.owner).number
    ship.ready = game.state.round + 1
    text = f"S{ship.number} is rebuilt at H{ship.hex}. It moves and fights from round {ship.ready}."
    game.whisper(ship.owner, BATTLES, text)
    game.arrived.pop(ship.number, None)


def fall(game: Round, ship: Ship) -> None:
    """Remove a ship without boosters and its mercenaries from a wormhole (rule 13)."""
    place = game.state.hexes[ship.hex]
    if place.kind is not Kind.WORMHOLE or game.player(ship.owner).boosters:
        return
    for lost in (*game.state.with_ship(ship), ship):
        what = f"The wormhole H{place.number} swallows S{lost.number} of {game.name(lost.owner)}."
        game.tell(BATTLES, what, place.number)
        game.lost.append(Loss(replace(lost), "in the wormhole"))
        reintegrate(game, lost)


def retreat(game: Round, ships: Iterable[Ship], is_reached: Callable[[int], bool]) -> None:
    """Move the surviving ships out of the enemy's range (rule 35, G16).

    Ships that are being rebuilt stay at their mothership.
    """
    for ship in ships:
        rebuilt = not game.state.is_ready(ship)
        if ship.number not in game.state.ships or rebuilt or not is_reached(ship.hex):
            continue
        left, ship.hex = ship.hex, _refuge(game.state, ship, is_reached)
        game.arrived.pop(ship.number, None)
        game.retreats.append(Retreat(ship.owner, ship.number, ship.hex))
        who = f"S{ship.number} of {game.name(ship.owner)}"
        game.tell(BATTLES, f"{who} retreats to H{ship.hex}.", ship.hex)
        game.tell_rest(BATTLES, f"{who} retreats from H{left}.", left, seen=ship.hex)


def _refuge(state: State, ship: Ship, is_reached: Callable[[int], bool]) -> int:
    """Return the nearest explored hex out of range, or the mothership's if there is none (G16).

    Of two equally near hexes, the one nearer to the mothership is taken, then the first one
    clockwise from direction 1.
    """
    here, home = state.hexes[ship.hex], state.mothership(ship.owner)
    goal = home.at if home.galaxy == here.galaxy else here.at

    def worth(place: Hex) -> tuple[int, int, int]:
        way = apart(here.at, place.at)
        return way, apart(place.at, goal), ring_place(here.at, place.at)

    free = (
        each
        for each in state.hexes.values()
        if each.galaxy == here.galaxy
        and each.kind not in (Kind.PIRATES, Kind.WORMHOLE)
        and not is_reached(each.number)
    )
    return min(free, key=worth, default=home).number
